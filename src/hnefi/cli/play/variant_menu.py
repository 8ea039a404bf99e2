"""The menu that asks for a variant if none was named."""

from hnefi.cli.play.keyboard import Keyboard
from hnefi.cli.play.screen import Screen
from hnefi.cli.texts import language, translate, translate_plural
from hnefi.lessons import lessons
from hnefi.variants.finding import all_variants, find_variants
from hnefi.variants.model import Variant

_USUAL = "brandub-globe"


def choose_variant(keyboard: Keyboard, screen: Screen) -> Variant | None:
    """Asks which variant to play; returns None if the input ends."""
    listed = _first()
    while True:
        _list(listed, screen)
        try:
            answer = keyboard.ask(f"{translate('play.choose.prompt', usual=_USUAL)} ")
        except KeyboardInterrupt:
            return None
        if answer is None:
            return None
        words = answer.strip()
        if words.casefold() == translate("play.choose.all"):
            listed = _all()
            continue
        found = _chosen(words, listed)
        if len(found) == 1:
            return found[0]
        screen.write(translate("play.choose.many" if found else "play.choose.none", words=words[:60]))
        listed = found or _first()


def _first() -> tuple[Variant, ...]:
    """Returns the variants listed first: those with lessons."""
    return tuple(one for one in all_variants() if lessons(one.id))


def _all() -> tuple[Variant, ...]:
    """Returns all variants: those with lessons first, then by size."""
    first = _first()
    return (*first, *sorted(set(all_variants()) - set(first), key=lambda one: (one.rules.size, one.id)))


def _list(listed: tuple[Variant, ...], screen: Screen) -> None:
    screen.write([translate("play.choose"), ""])
    widest = max(len(one.id) for one in listed)
    for number, one in enumerate(listed, start=1):
        size = f"{one.rules.size}×{one.rules.size}"
        screen.write(f"  {number:>2}  {one.id:<{widest}}  {size:<5}  {one.name(language())}")
    if listed == _first():
        others = len(all_variants()) - len(listed)
        screen.write(
            f"      {translate_plural('play.choose.others', others, word=translate('play.choose.all'))}"
        )
    screen.write("")
    screen.flush()


def _chosen(answer: str, listed: tuple[Variant, ...]) -> tuple[Variant, ...]:
    """Returns the variants that an answer matches: a list number, an id, or words of a name."""
    if not answer:
        return tuple(one for one in all_variants() if one.id == _USUAL)
    if answer.isascii() and answer.isdigit() and len(answer) < 4:
        return listed[int(answer) - 1 : int(answer)] if int(answer) else ()
    exact = tuple(one for one in all_variants() if one.id == answer.casefold())
    return exact or find_variants(answer)
