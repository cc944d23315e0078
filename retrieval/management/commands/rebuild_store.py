"""Build stores anew."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from retrieval import rebuilding
from retrieval.embedder import EmbedderUnavailable
from retrieval.filling import FilledInPart
from retrieval.keyword_store import KeywordStoreUnavailable
from retrieval.models import Store
from retrieval.opening import StoreMismatch
from retrieval.search.scope import label_of
from retrieval.vector_store import VectorStoreUnavailable
from retrieval.weights import WeightsMissing


class Command(BaseCommand):
    """Build stores anew; the old contents serve until the new are whole."""

    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Choose the stores."""
        parser.add_argument("stores", nargs="*", type=int, help="numbers of stores, as the admin and doctor show them")
        parser.add_argument("--domain", help="all stores of a domain, by its slug")
        parser.add_argument("--all", action="store_true", help="all stores")
        parser.add_argument(
            "--model",
            action="store_true",
            help="build a store of the present embedding model (or analysis) beside each, and switch to it when it is whole",
        )

    def handle(self, *_: Any, **options: Any) -> None:
        """Build one after the other."""
        for store in self._chosen(options):
            try:
                if options["model"]:
                    made = rebuilding.renew(store, told=self._progress)
                    self.stdout.write(f"{label_of(store)}: {made.name} (store {made.pk}) serves in its place.")
                else:
                    count = rebuilding.rebuild(store, told=self._progress)
                    self.stdout.write(f"{label_of(store)}: {count} passages.")
            except (
                StoreMismatch,
                EmbedderUnavailable,
                FilledInPart,
                KeywordStoreUnavailable,
                VectorStoreUnavailable,
                WeightsMissing,
            ) as error:
                raise CommandError(str(error)) from error

    def _chosen(self, options: dict[str, Any]) -> list[Store]:
        rows = Store.objects.select_related("collection__domain").order_by("pk")
        if options["all"]:
            return list(rows)
        if options["domain"]:
            rows = rows.filter(collection__domain__slug=options["domain"])
        elif options["stores"]:
            rows = rows.filter(pk__in=options["stores"])
            if missing := set(options["stores"]) - {row.pk for row in rows}:
                raise CommandError(f"There is no store {', '.join(map(str, sorted(missing)))}.")
        else:
            raise CommandError("Name stores, or a --domain, or --all.")
        return list(rows)

    def _progress(self, done: int, whole: int) -> None:
        self.stderr.write(f"\r{done} of {whole} files", ending="" if done < whole else "\n")
