from __future__ import annotations

from django.db import models


class RegistrarAnswer(models.Model):
    """What a registrar answered, kept so that it isn't asked again; never a failure to answer."""

    service = models.CharField(max_length=30)
    key = models.CharField(max_length=500, help_text="doi:… or title:…, in lower case.")
    found = models.BooleanField(help_text="False: the service knows no such work.")
    works = models.JSONField(default=list, blank=True)
    asked = models.DateTimeField()
    expires = models.DateTimeField(db_index=True)

    class Meta:
        ordering = ["service", "key"]
        constraints = [models.UniqueConstraint(fields=["service", "key"], name="registrar_answer_once_per_service_and_key")]

    def __str__(self) -> str:
        return f"{self.service} {self.key}"
