"""Custom variants: derived from others and saved in the user's folder."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from hnefi.errors import Fault, HnefiError, VariantError, shorten
from hnefi.files import write_atomically
from hnefi.places import custom_variants_folder
from hnefi.variants.built_in import built_in_ids, built_in_variant
from hnefi.variants.files import bad_variant, format_variant, load_variant, parse_variant
from hnefi.variants.model import Variant


class CustomVariantError(HnefiError):
    """A custom variant cannot be saved, removed or read from a link."""


@dataclass(frozen=True, slots=True)
class CustomVariants:
    """The variants in the user's folder.

    Attributes:
        variants: The playable variants, by id.
        files: Their files, by id.
        faults: The faults of the other files, by path.
    """

    variants: Mapping[str, Variant]
    files: Mapping[str, Path]
    faults: Mapping[Path, VariantError]


_EARLIER, _DIGITS = "earlier", 12
"""The folder of what was replaced, whose files have digits of the hash of the rules in their names."""

_named: ContextVar[Variant | None] = ContextVar("_named", default=None)


@contextmanager
def known_by_id(variant: Variant) -> Iterator[None]:
    """Makes a variant of no folder, such as one of a file, one of the custom variants while the block runs.

    The pages of `hnefi.server` keep facts about all variants as long as a process runs: they show one such
    variant in a process.

    Raises:
        VariantError: If its id is that of a built-in variant with other rules or texts.

    >>> from hnefi.variants.finding import variant as find
    >>> mine = derive(find("brandub-globe"), "oak-tafl", {"en": "Oak tafl"}, {})
    >>> with known_by_id(mine):
    ...     find("oak-tafl").name("en")
    'Oak tafl'
    """
    if variant.id in built_in_ids():
        if built_in_variant(variant.id) != variant:
            raise bad_variant([Fault("taken", "id", variant.id, "an id of its own")])
        yield
        return
    token = _named.set(variant)
    try:
        yield
    finally:
        _named.reset(token)


def custom_variants() -> CustomVariants:
    """Reads the user's variants; unchanged files are not read again.

    A file with faults, or with an id that is taken, does not affect the others.
    """
    found, named = _in_folder(), _named.get()
    return found if named is None else replace(found, variants={**found.variants, named.id: named})


def _in_folder() -> CustomVariants:
    folder = custom_variants_folder()
    try:
        files = sorted(folder.glob("*.toml"))
        key = tuple((path, path.stat().st_mtime_ns, path.stat().st_size) for path in files)
    except OSError:
        key = ()
    return _read_files(key)


@lru_cache(maxsize=4)
def _read_files(files: tuple[tuple[Path, int, int], ...]) -> CustomVariants:
    variants: dict[str, Variant] = {}
    paths: dict[str, Path] = {}
    faults: dict[Path, VariantError] = {}
    for path, _, _ in files:
        try:
            variant = load_variant(path)
            if variant.id in built_in_ids() or variant.id in variants:
                raise bad_variant([Fault("taken", "id", variant.id, "an id of its own")]).of_file(str(path))
            variants[variant.id], paths[variant.id] = variant, path
        except VariantError as error:
            faults[path] = error
        except OSError as error:
            reason = error.strerror or str(error)
            faults[path] = bad_variant([Fault("unreadable", str(path), reason, "a file")])
    return CustomVariants(variants, paths, faults)


def derive(base: Variant, variant_id: str, names: Mapping[str, str], switches: Mapping[str, str]) -> Variant:
    """Creates a variant from another one, with some rules changed.

    Args:
        base: The variant to begin with.
        variant_id: The new id.
        names: The new name, by language; at least one.
        switches: The rules to change, `start` among them.

    Raises:
        VariantError: `bad_switch`, or `bad_variant` with the contradictions, or the faults of id and name.

    >>> from hnefi import variant
    >>> mine = derive(variant("brandub-globe"), "my-brandub", {"en": "My Brandub"}, {"king_armed": "none"})
    >>> mine.tree.capture.king_armed, mine.switches
    ('none', {})
    """
    changed = base.with_switches(switches)
    about: dict[str, Any] = {
        "names": dict(names),
        "family": dict(base.about.get("family", {})),
        "status": "modern",
        "status_note": {"en": f"Made from {base.name('en')}.", "fr": f"D’après {base.name('fr')}."},
    }
    about |= {key: base.about[key] for key in ("words", "corner_names", "sources") if key in base.about}
    derived = replace(changed, id=variant_id, revision=1, about=about)
    # Parsing reports faults of the id or the names as it does for a file; clauses of changed rules are gone.
    return parse_variant(format_variant(derived))


def custom_id(name: str) -> str:
    """Returns an id made from a name, distinct from those of the built-in variants.

    >>> custom_id("Brandub à l’épée"), custom_id("龍"), custom_id("Copenhagen 11")
    ('brandub-a-l-epee', 'my-game', 'my-copenhagen-11')
    """
    variant_id = plain_words(name.replace("’", "-")) or "my-game"
    return f"my-{variant_id}" if variant_id in built_in_ids() else variant_id


def plain_words(name: str) -> str:
    """Returns the words of a name in small letters without accents, with hyphens between them."""
    import re
    import unicodedata

    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


def save_variant(variant: Variant, text: str | None = None, *, overwrite: bool = False) -> Path:
    """Writes a variant to the user's folder, where every command finds it by its id, and returns the path.

    Args:
        text: The text of its file, if it has one; otherwise it is formatted from the variant.
        overwrite: Whether to replace a variant of the same id. If that has other rules, its file is kept, so
            that records of its games can be read, and the revision is raised unless a text states it.

    Raises:
        CustomVariantError: `shipped_variant` if the id is that of a built-in variant, `variant_kept` if there
            is one of that id, `cannot_keep` if the file cannot be written.
    """
    if variant.id in built_in_ids():
        raise custom_error("shipped_variant", variant.id)
    folder = custom_variants_folder()
    path = folder / f"{variant.id}.toml"
    kept = custom_variants().variants.get(variant.id)
    if not overwrite and (path.exists() or kept is not None):
        part = "-" if kept is None else "same" if kept.rules == variant.rules else "other"
        raise custom_error("variant_kept", variant.id, path=str(path), part=part)
    known = _in_folder()
    before = known.variants.get(variant.id, variant)
    is_changed = before.rules.hash != variant.rules.hash
    variant = replace(variant, revision=max(variant.revision, before.revision + is_changed))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if is_changed:
            (folder / _EARLIER).mkdir(exist_ok=True)
            earlier = folder / _EARLIER / f"{before.id}-{before.rules.hash[:_DIGITS]}.toml"
            write_atomically(earlier, known.files[before.id].read_text(encoding="utf-8-sig"))
        write_atomically(path, format_variant(variant) if text is None else text)
    except OSError as error:
        raise custom_error("cannot_keep", variant.id, path=path, why=error) from error
    return path


def earlier_variants(variant_id: str) -> list[Variant]:
    """Returns what was replaced by the user's variant of an id, as far as it can be read."""
    found = []
    for path in sorted((custom_variants_folder() / _EARLIER).glob(f"{variant_id}-{'?' * _DIGITS}.toml")):
        with suppress(VariantError, OSError):
            found.append(load_variant(path))
    return found


def remove_variant(variant_id: str) -> Path:
    """Removes a variant from the user's folder, and returns the path of its file.

    Raises:
        CustomVariantError: `not_own` if there is none, `cannot_keep` if it cannot be removed.
    """
    custom = custom_variants()
    # A file with faults is removed by its name.
    path = custom.files.get(variant_id) or next(
        (path for path in custom.faults if path.stem == variant_id), None
    )
    if path is None:
        raise custom_error("not_own", variant_id)
    try:
        path.unlink()
    except OSError as error:
        raise custom_error("cannot_keep", variant_id, path=path, why=error) from error
    return path


def custom_error(code: str, variant_id: str, **facts: object) -> CustomVariantError:
    """Creates the error of a custom variant, with its id and further facts as parameters."""
    return CustomVariantError.of_facts(code, **{"id": shorten(variant_id), "path": "", "why": "", **facts})
