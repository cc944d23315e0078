"""How the commands name domains, collections and files."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils.text import slugify

from corpus.models import Collection, Domain, SourceFile, State
from corpus.models.source_file import SourceFileQuerySet


def add_file_arguments(parser: ArgumentParser, *, states: bool = True) -> None:
    """Let a command choose files by domain, collection, path and state."""
    parser.add_argument("--domain", help="only files of this domain (its slug)")
    parser.add_argument("--collection", help="only files of this collection (its slug)")
    parser.add_argument("--path", help="only files whose path begins with this")
    if states:
        parser.add_argument("--state", choices=[state.value for state in State], action="append", help="only files in this state")


def chosen_files(options: dict[str, Any]) -> SourceFileQuerySet:
    """Return the files that the options of `add_file_arguments` name; removed ones only when asked for by state.

    Raises:
        CommandError: there is no such domain or collection; the message lists those there are.
    """
    states = options.get("state") or [state.value for state in State if state != State.REMOVED]
    files = SourceFile.objects.filter(state__in=states)
    if options["domain"]:
        domain = domain_named(options["domain"])
        files = files.filter(collection__domain=domain)
        if options["collection"]:
            files = files.filter(collection=collection_named(domain, options["collection"]))
    elif options["collection"]:
        raise CommandError("A collection is named within its domain. Add --domain.")
    if options["path"]:
        files = files.filter(path__startswith=options["path"])
    return files


def domain_named(slug: str) -> Domain:
    """Return the domain.

    Raises:
        CommandError: there is none; the message lists those there are.
    """
    domain: Domain | None = Domain.objects.filter(slug=slug).first()
    if domain is not None:
        return domain
    known = ", ".join(Domain.objects.values_list("slug", flat=True)) or "none yet"
    raise CommandError(f"There is no domain '{slug}'. Domains: {known}. Make one in the admin, or add --create.")


def domain_made(slug: str) -> Domain:
    """Return the domain; make it if there is none."""
    clean = slugify(slug)
    if not clean:
        raise CommandError(f"'{slug}' can't be a domain's name. Use letters, digits and hyphens.")
    name = slug if Domain.objects.filter(name=slug.replace("-", " ").title()).exists() else slug.replace("-", " ").title()
    return Domain.objects.get_or_create(slug=clean, defaults={"name": name})[0]


def collection_named(domain: Domain, slug: str) -> Collection:
    """Return the collection.

    Raises:
        CommandError: there is none; the message lists those there are.
    """
    collection: Collection | None = Collection.objects.filter(domain=domain, slug=slug).first()
    if collection is not None:
        return collection
    known = ", ".join(Collection.objects.filter(domain=domain).values_list("slug", flat=True)) or "none yet"
    raise CommandError(f"The domain {domain.slug} has no collection '{slug}'. Collections: {known}.")


def collection_made(domain: Domain, name: str) -> Collection:
    """Return the collection of that name; make it if there is none."""
    clean = slugify(name)[:80] or "files"
    made = {"name": name.replace("-", " ").replace("_", " ")[:120]}
    return Collection.objects.get_or_create(domain=domain, slug=clean, defaults=made)[0]
