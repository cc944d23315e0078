"""Measure retrieval."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError

from corpus.backend import from_settings
from corpus.models import Domain
from retrieval.evaluation import (
    RETRIEVERS,
    Benchmarked,
    NotBeir,
    NothingToMeasure,
    benchmark,
    difference,
    measure_domain,
    read_beir,
)
from retrieval.weights import WeightsMissing


class Command(BaseCommand):
    """Print nDCG@10, R@100, RR@10 and AP: of retrievers on test collections in BEIR's form, or of a domain's golden questions."""

    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Name what is measured on what."""
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument(
            "--beir", nargs="+", metavar="DIR", help="folders with corpus.jsonl[.gz], queries.jsonl, qrels/test.tsv"
        )
        what.add_argument("--domain", metavar="SLUG", help="measure the golden questions of a domain and keep the run")
        parser.add_argument("--label", default="", help="with --domain: what is tried, for the list of runs")
        parser.add_argument("--embedder", default=settings.EMBEDDER, help=f"one of {', '.join(settings.EMBEDDERS)}")
        parser.add_argument("--retrievers", default="bm25,dense,hybrid", help=f"of {', '.join(RETRIEVERS)}, separated by commas")
        parser.add_argument("--vector-store", default=settings.VECTOR_STORE, help=f"one of {', '.join(settings.VECTOR_STORES)}")
        parser.add_argument(
            "--keyword-store", default=settings.KEYWORD_STORE, help=f"one of {', '.join(settings.KEYWORD_STORES)}"
        )
        parser.add_argument("--json", action="store_true", help="write JSON")

    def handle(self, *_: Any, **options: Any) -> None:
        """Measure what was named."""
        if options["domain"]:
            self._measure_domain(options)
        else:
            self._measure_sets(options)

    def _measure_domain(self, options: dict[str, Any]) -> None:
        domain = Domain.objects.filter(slug=options["domain"]).first()
        if domain is None:
            raise CommandError(f"There is no domain {options['domain']}.")
        try:
            run = measure_domain(domain, label=options["label"])
        except NothingToMeasure as error:
            raise CommandError(f"{error} {error.advice}") from error
        if options["json"]:
            self.stdout.write(
                json.dumps({"domain": domain.slug, "questions": run.question_count, "measures": run.measures}, indent=2)
            )
            return
        self.stdout.write(f"{domain.slug}: {run.question_count} questions in {run.took_ms} ms")
        for name, value in run.measures.items():
            self.stdout.write(f"{name:8}{value['mean']:.4f}  ({value['low']:.3f} to {value['high']:.3f})")

    def _measure_sets(self, options: dict[str, Any]) -> None:
        backends = (options["vector_store"], options["keyword_store"])
        retrievers = [name.strip() for name in options["retrievers"].split(",") if name.strip()]
        results: dict[str, list[Benchmarked]] = {}
        try:
            embedder = from_settings("EMBEDDERS", options["embedder"])
            for folder in options["beir"]:
                beir = read_beir(Path(folder))
                found = benchmark(beir, embedder, retrievers=retrievers, backends=backends, told=self.stderr.write)
                results[_name(Path(folder))] = found
                if not options["json"]:
                    self._show(_name(Path(folder)), found)
        except (NotBeir, ImproperlyConfigured, WeightsMissing, ValueError) as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            self.stdout.write(json.dumps({"embedder": embedder.model, "sets": _as_json(results)}, indent=2))

    def _show(self, name: str, found: list[Benchmarked]) -> None:
        self.stdout.write(
            f"\n{name}\n{'':10}{'nDCG@10':>8}  {'95 %':15}{'R@100':>7}{'RR@10':>8}{'AP':>8}{'ms/query':>10}  gain over the first"
        )
        for one in found:
            ndcg = one.measures["nDCG@10"]
            gain, chance = difference(found[0].measures["nDCG@10"], ndcg)
            told = "" if one is found[0] else f"{gain:+.4f} (p = {chance:.3f})"
            others = "".join(f"{one.measures[key].mean:>{width}.4f}" for key, width in (("R@100", 7), ("RR@10", 8), ("AP", 8)))
            interval = f"{ndcg.low:.3f} to {ndcg.high:.3f}"
            self.stdout.write(f"{one.retriever:10}{ndcg.mean:>8.4f}  {interval:15}{others}{one.ms_per_query:>10.1f}  {told}")


def _name(folder: Path) -> str:
    """Name a set; one of several languages with its parent."""
    folder = folder.resolve()
    return f"{folder.parent.name}/{folder.name}" if len(folder.name) == 2 else folder.name  # noqa: PLR2004 -- a language's code


def _as_json(results: dict[str, list[Benchmarked]]) -> dict[str, Any]:
    return {
        name: {
            one.retriever: {
                "ms_per_query": round(one.ms_per_query, 2),
                **{key: {"mean": value.mean, "low": value.low, "high": value.high} for key, value in one.measures.items()},
            }
            for one in found
        }
        for name, found in results.items()
    }
