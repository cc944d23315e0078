from __future__ import annotations

from typing import Any, Final

from corpus import converted
from corpus.blobs import BytesMissing
from corpus.candidates import propose
from corpus.consulting import TIERS, consult
from corpus.core.choosing import REGISTRAR
from corpus.core.docling_json import signs_of
from corpus.core.extraction.cascade import propose_metadata
from corpus.core.metadata_map import DEFAULT
from corpus.models import MetadataEntry, SourceFile, State
from corpus.stage import StageContext, StageError


class Describe:
    """Propose values for the fields of the metadata, tier by tier; registrars are asked only where the operator allows it.

    Reads: the stored conversion. Writes: candidates of four tiers; what a person said stays.
    """

    name: Final = "describe"
    version: Final = 1
    shows: Final = State.CONVERTING

    def settings(self, source_file: SourceFile) -> dict[str, Any]:
        """The name may stand in for a title."""
        return {"name": source_file.name}

    def run(self, source_file: SourceFile, context: StageContext) -> dict[str, Any]:
        """Read the signs, propose, let the values follow."""
        try:
            document = converted.read(source_file.conversion_key)
        except BytesMissing as error:
            raise StageError(str(error), advice="Convert the file again (reingest --since convert).") from error
        signs = signs_of(source_file.name, document.document, document.info)
        consulted = consult(signs, propose_metadata(signs))
        context.heartbeat()
        entry, _ = MetadataEntry.objects.get_or_create(source_file=source_file, heading=DEFAULT)
        entry = propose(entry, consulted.proposals, tiers=(*TIERS, REGISTRAR) if consulted.asked else TIERS)
        fields = sorted(key for key in entry.values if not key.startswith("_"))
        return {"candidates": len(consulted.proposals), "fields": fields, "unanswered": list(consulted.unanswered)}
