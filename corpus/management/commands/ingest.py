"""Put the files of a folder into a collection."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from corpus import ingestion
from corpus.blobs import StorageError
from corpus.ingestion.settled import queue_unsettled
from corpus.management.choosing import collection_made, domain_made, domain_named
from corpus.management.working import summary_of, work_on
from corpus.models import Collection, SourceFile, State
from corpus.source_folder import FoundFile, FoundFolder, look_through
from corpus.upload import Change, FolderReport, TakenIn, take_in, take_in_folder


class Command(BaseCommand):
    """Put the files of a folder into a collection."""

    help = (
        "Put the files of a folder (or one file, or a ZIP archive) into a collection. "
        "Files that are held already and haven't changed are left alone."
    )

    requires_system_checks: tuple[str, ...] = ()  # they load every page and endpoint, for nothing here

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("folder", type=Path, help="the folder, file or ZIP archive")
        parser.add_argument("--domain", required=True, help="the domain's slug")
        parser.add_argument("--create", action="store_true", help="make the domain if there is none")
        parser.add_argument("--collection", help="the collection's slug; the only one of the domain, or one named as the folder")
        parser.add_argument("--ocr", choices=Collection.Ocr.values, help="which pages are read by OCR, for the collection")
        parser.add_argument("--max-tokens", type=int, help="the longest passage in tokens, for the collection")
        parser.add_argument("--review", action="store_true", help="wait for a curator to accept each file's metadata")
        parser.add_argument("--wait", action="store_true", help="do the work here, and return when it is done")
        parser.add_argument("--workers", type=int, default=settings.WORKERS, help="with --wait: files side by side")
        parser.add_argument("--prune", action="store_true", help="remove files that are no longer in the folder")
        parser.add_argument("--exclude", action="append", default=[], help="a file or folder inside the folder to leave out")

    def handle(self, *args: Any, **options: Any) -> None:
        """Take in, tell, and with --wait do the work."""
        place: Path = options["folder"].resolve()
        if not place.exists():
            raise CommandError(f"{place} doesn't exist.")
        collection = _collection(place, options)
        try:
            report = self._take_in(collection, place, options)
        except StorageError as error:
            raise CommandError(f"{error} {error.advice}") from error
        self._tell(report, collection, prune=options["prune"], is_folder=place.is_dir())
        again = queue_unsettled(collection)
        if again:
            self.stdout.write(f"{again} files go through changed settings again.")
        files = SourceFile.objects.held().filter(collection=collection)
        if options["wait"]:
            self._work(files, max(1, options["workers"]))
        self.stdout.write(f"{collection}: {summary_of(files)}")

    def _take_in(self, collection: Collection, place: Path, options: dict[str, Any]) -> FolderReport:
        if place.is_file():
            if place.suffix.lower() == ".zip":
                with place.open("rb") as file:
                    return FolderReport(take_in(collection, name=place.name, file=file))
            return take_in_folder(collection, FoundFolder((FoundFile(place.name, place),), ()), told=self._told)
        return take_in_folder(collection, look_through(place, excluded=options["exclude"]), told=self._told)

    def _told(self, one: TakenIn) -> None:
        if one.change in {"new", "changed"}:
            self.stdout.write(f"{one.change}: {one.path}")

    def _tell(self, report: FolderReport, collection: Collection, *, prune: bool, is_folder: bool) -> None:
        for one in report.taken_in:
            if one.change in {"refused", "ignored"}:
                self.stderr.write(f"{one.change}: {one.path}: {one.cause} {one.advice}".rstrip())
        kinds: tuple[Change, ...] = ("new", "changed", "same", "refused", "ignored")
        self.stdout.write(", ".join(f"{report.count(kind)} {kind}" for kind in kinds))
        if not is_folder:
            return
        if prune:
            for path in ingestion.prune(collection, report.paths()):
                self.stdout.write(f"removed: {path}")
            return
        gone = SourceFile.objects.held().filter(collection=collection).exclude(path__in=report.paths()).count()
        if gone:
            self.stdout.write(f"{gone} files of the collection are not in the folder. Add --prune to remove them.")

    def _work(self, files: Any, workers: int) -> None:
        work_on(files, workers=workers, out=self.stdout)  # type: ignore[arg-type]
        found = files.filter(state__in=[State.READY, State.PARTIAL]).exists()
        if files.exists() and not found and not files.filter(state=State.NEEDS_REVIEW).exists():
            raise CommandError("No file can be found by a question. The lines above say why.")


def _collection(place: Path, options: dict[str, Any]) -> Collection:
    domain = domain_made(options["domain"]) if options["create"] else domain_named(options["domain"])
    collection = _named(place, domain, options["collection"])
    wanted = {"ocr": options["ocr"], "max_tokens": options["max_tokens"], "review_required": options["review"] or None}
    for name, value in wanted.items():
        if value is not None:
            setattr(collection, name, value)
    collection.full_clean(validate_unique=False)
    collection.save()
    return collection


def _named(place: Path, domain: Any, slug: str | None) -> Collection:
    if slug:
        return collection_made(domain, slug)
    there: list[Collection] = list(Collection.objects.filter(domain=domain)[:2])
    if len(there) == 1:
        return there[0]
    return collection_made(domain, place.stem if place.is_file() else place.name)
