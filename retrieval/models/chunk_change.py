from __future__ import annotations

from django.db import models


class ChunkChange(models.Model):
    """The chunks of a file changed: what keyword indexes follow. Written by triggers, so no way of changing chunks escapes."""

    collection_id = models.BigIntegerField(null=True, help_text="Empty: the file is gone too.")
    source_file_id = models.BigIntegerField()
    transaction = models.BigIntegerField(help_text="The id of the transaction that changed them.")
    at = models.DateTimeField(db_index=True)

    class Meta:
        indexes = [models.Index(fields=["transaction"], name="chunk_change_transaction")]

    def __str__(self) -> str:
        return f"file {self.source_file_id} in transaction {self.transaction}"
