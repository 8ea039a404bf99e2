"""Choosing a variant where none was named."""

from hnefi.cli.play.keyboard import Keyboard
from hnefi.cli.play.screen import Screen
from hnefi.cli.speech import language, say
from hnefi.variant import Variant, find_variants, variants

__all__ = ["choose_variant"]

_USUAL = "brandub-globe"


def choose_variant(keyboard: Keyboard, screen: Screen) -> Variant | None:
    """Asks which variant to play; None if nobody answers."""
    listed = variants()
    while True:
        _list(listed, screen)
        try:
            answer = keyboard.ask(f"{say('play.choose.prompt', usual=_USUAL)} ")
        except KeyboardInterrupt:
            return None
        if answer is None:
            return None
        found = _chosen(answer.strip(), listed)
        if len(found) == 1:
            return found[0]
        screen.tell(say("play.choose.many" if found else "play.choose.none", words=answer.strip()[:60]))
        listed = found or variants()


def _list(listed: tuple[Variant, ...], screen: Screen) -> None:
    screen.tell([say("play.choose"), ""])
    for number, one in enumerate(listed, start=1):
        size = f"{one.rules.size}×{one.rules.size}"
        screen.tell(f"  {number}  {one.id:<21} {size:<6} {one.name(language())}")
    screen.tell("")
    screen.flush()


def _chosen(answer: str, listed: tuple[Variant, ...]) -> tuple[Variant, ...]:
    """Gives the variants that an answer means: a number of the list, an id, or words of a name."""
    if not answer:
        return tuple(one for one in variants() if one.id == _USUAL)
    if answer.isascii() and answer.isdigit() and len(answer) < 4:
        return listed[int(answer) - 1 : int(answer)] if int(answer) else ()
    exact = tuple(one for one in variants() if one.id == answer.casefold())
    return exact or find_variants(answer)
