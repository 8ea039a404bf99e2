"""Sections about a game besides its rules: facts, readings, advice, balance, history, names, sources.

They stand in `RulesText.sections` around those of the rules. Each is left out if the variant has nothing for
it. Their ids, in order: `facts` and `material` before the rules; `readings`, `advice`, `balance`,
`measurements`, `history`, `names`, `family`, `doubts` and `source` after them.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from hnefi import i18n
from hnefi.variants.balance import MeasuredBalance, measured_balance
from hnefi.variants.model import TRAITS
from hnefi.variants.switches import CALL_SWITCHES
from hnefi.words.ends import readings
from hnefi.words.model import INTRODUCTION, Clause, Section
from hnefi.words.nouns import capitalised, uncapitalised
from hnefi.words.variant_texts import entries, in_language, lookup
from hnefi.words.wording import Wording

if TYPE_CHECKING:
    from hnefi._core import Rules
    from hnefi.variants.model import Variant

# Shares of games that are told in words, and the percentage of drawn games under which they are not told.
_SHARES = (*((1, whole) for whole in (10, 5, 4, 3, 2)), (2, 5), (3, 5), (2, 3), (3, 4), (4, 5), (9, 10))
_FEW_DRAWN = 7.5


def around_the_rules(
    subject: "Variant | Rules", wording: Wording
) -> tuple[tuple[Section, ...], tuple[Section, ...]]:
    """Returns the sections before the rules and those after them; rules without a variant have none."""
    from hnefi._core import Rules

    if isinstance(subject, Rules):
        return (), ()
    before = (
        _section("facts", _facts(wording), wording, is_list=True),
        _section("material", _of_unchanged(subject, wording, _material(wording)), wording, is_list=True),
    )
    names = _of_unchanged(subject, wording, _names(wording))
    titled = "terms" if wording.about.get("terms") else "names"
    after = (
        _section("readings", _readings(wording), wording, is_list=True),
        _section("advice", _of_unchanged(subject, wording, _long_text(wording, "strategy")), wording),
        _section("balance", _balance(subject, wording), wording),
        _section("measurements", _measurements(subject, wording), wording),
        _section("history", _of_unchanged(subject, wording, _long_text(wording, "history")), wording),
        _section("names", names, wording, is_list=True, titled=titled),
        _section("family", _traits(wording), wording, is_list=True),
        _section("doubts", _doubts(subject, wording), wording, is_list=True),
        _section("source", _sources(wording), wording),
    )
    return _filled(before), _filled(after)


def _filled(sections: tuple[Section, ...]) -> tuple[Section, ...]:
    return tuple(section for section in sections if section.clauses)


def _section(
    name: str, clauses: Iterator[Clause], wording: Wording, *, is_list: bool = False, titled: str = ""
) -> Section:
    heading = wording.text(f"words.section.{titled or name}")
    return Section(name, heading, tuple(clauses), is_list=is_list, is_rules=False)


def _paragraph(name: str, text: str) -> Clause:
    return Clause((), text, begins_paragraph=True, name=name)


def _facts(wording: Wording) -> Iterator[Clause]:
    """Iterates over the facts: players, duration, ease and kind of game."""
    about = wording.about
    players, minutes = about.get("players"), about.get("minutes")
    if isinstance(players, int):
        yield _paragraph("players", wording.plural("words.about.players", players))
    if about.get("is_individual") is True:
        yield _paragraph("individual", wording.text("words.about.individual"))
    if minutes:
        least, most = minutes[0], minutes[-1]
        yield _paragraph("minutes", wording.text("words.about.minutes", least=least, most=most))
    ease = in_language(about.get("ease"), wording.lang)
    if ease:
        yield _paragraph("ease", f"{capitalised(ease).removesuffix('.')}.")
    kinds = [in_language(kind, wording.lang) for kind in entries(about.get("categories"))]
    if kinds:
        named = ", ".join(kind for kind in kinds if kind)
        yield _paragraph("categories", wording.text("words.about.categories", categories=named))


def _material(wording: Wording) -> Iterator[Clause]:
    """Iterates over the contents of the box."""
    for item in entries(wording.about.get("material")):
        what = in_language(item.get("what"), wording.lang)
        if what:
            yield _paragraph(str(item.get("piece", "")), f"{item.get('count', 1)} {what}.")


def _readings(wording: Wording) -> Iterator[Clause]:
    """Iterates over the other readings of the ends that the text leaves open."""
    for leaf, sentence in readings(wording):
        yield _paragraph(leaf, sentence)


def _of_unchanged(variant: "Variant", wording: Wording, clauses: Iterator[Clause]) -> Iterator[Clause]:
    """Iterates over clauses that may not hold for changed rules, after a sentence that says so."""
    for number, clause in enumerate(clauses):
        if number == 0 and variant.switches:
            yield _paragraph("unchanged", wording.text("words.without_changes"))
        yield clause


def _long_text(wording: Wording, key: str, named: str = "") -> Iterator[Clause]:
    """Iterates over the paragraphs of a long text, which are named by their numbers."""
    for number, part in enumerate((in_language(wording.about.get(key), wording.lang) or "").split("\n\n"), 1):
        # No-break spaces stay as they are.
        lines = [line.strip(" ") for line in part.split("\n")]
        if any(lines):
            yield _paragraph(f"{named}{number}", " ".join(filter(None, lines)))


def _balance(variant: "Variant", wording: Wording) -> Iterator[Clause]:
    """Iterates over the claims of the text about balance, and what the measurements say in plain words."""
    yield from _of_unchanged(variant, wording, _long_text(wording, "claims", "claims."))
    measured = measured_balance(variant)
    if measured:
        yield _paragraph("tried", _tried(measured[-1], wording))


def _tried(one: MeasuredBalance, wording: Wording) -> str:
    """Returns a measurement in plain words: "the king's side won about two games in three".

    It says so if the source claims something else.
    """
    won = one.defenders if one.leaning == "defenders" else one.attackers
    shares = {"share": _share(won, wording), "drawn": _share(one.drawn, wording)}
    key = "tried" if one.drawn < _FEW_DRAWN else "tried_drawn"
    result = "tried_even" if one.leaning == "even" else f"{key}.{one.leaning}"
    claimed = wording.about.get("claimed", one.leaning)
    disagreeing = "unconfirmed" if "even" in (claimed, one.leaning) else "contrary"
    how = "tried" if claimed == one.leaning else disagreeing
    return wording.text(f"words.balance.{how}", result=wording.text(f"words.balance.{result}", **shares))


def _share(percent: float, wording: Wording) -> str:
    """Returns the nearest simple share of games: "two games in three"."""
    part, whole = min(_SHARES, key=lambda share: abs(share[0] / share[1] - percent / 100))
    number = wording.number(whole)
    if part == 1:
        return wording.text("words.balance.share_one", all=number)
    return wording.text("words.balance.share", part=wording.number(part), all=number)


def _measurements(variant: "Variant", wording: Wording) -> Iterator[Clause]:
    """Iterates over the measurements of the balance."""
    measured = measured_balance(variant)
    for one in measured:
        yield _paragraph(f"nodes.{one.nodes}", _measurement(one, wording))
    if measured:
        conditions = wording.text("words.balance.conditions", plies=measured[0].opening_plies)
        yield _paragraph("conditions", conditions)


def _measurement(one: MeasuredBalance, wording: Wording) -> str:
    shares = {
        "won": one.defenders,
        "lost": one.attackers,
        "drawn": one.drawn,
        "score": one.score,
    }
    found = wording.text(
        "words.balance.measured",
        games=one.games,
        nodes=i18n.grouped(one.nodes, wording.lang),
        low=i18n.decimal(one.low, wording.lang),
        high=i18n.decimal(one.high, wording.lang),
        **{
            name: wording.text("lab.percent", number=i18n.decimal(share, wording.lang))
            for name, share in shares.items()
        },
    )
    return f"{found} {wording.text(f'words.balance.leaning.{one.leaning}')}"


def _names(wording: Wording) -> Iterator[Clause]:
    """Iterates over the clauses about the source's words, and other names of the game."""
    terms = entries(wording.about.get("terms"))
    if terms and wording.about.get("language") == "fr":
        yield _paragraph(INTRODUCTION, wording.text("words.about.terms"))
    for term in terms:
        word, means = (in_language(term.get(key), wording.lang) for key in ("word", "means"))
        if word and means:
            told = wording.text("words.about.term", word=capitalised(word), means=means)
            yield _paragraph(str(lookup(term, "word", "en")).replace("“", "").replace("”", ""), told)
    also = _other_names(wording)
    if also:
        names = wording.listed([wording.text("words.about.title", title=name) for name in also])
        yield _paragraph("also", wording.plural("words.about.also", len(also), names=names))
    yield from _long_text(wording, "names_note", "note.")


def _other_names(wording: Wording) -> list[str]:
    """Returns the other names (`about.also`) that the source has and the name of the variant has not."""
    also, unsaid = wording.about.get("also"), wording.about.get("unsaid", ())
    head, _, rest = (wording.name or "").partition(" (")
    family = in_language(wording.about.get("family"), wording.lang) or ""
    known = {str(name).casefold() for name in (head, rest.rstrip(")"), family, *unsaid)}
    if not isinstance(also, list) or "also" in unsaid:
        return []
    return [name for name in also if str(name).casefold() not in known]


def _traits(wording: Wording) -> Iterator[Clause]:
    """Iterates over what the text says that tafl games share."""
    traits = wording.about.get("traits", ())
    for trait in TRAITS:
        if trait in traits:
            yield _paragraph(trait, wording.text(f"words.trait.{trait}"))


def _doubts(variant: "Variant", wording: Wording) -> Iterator[Clause]:
    """Iterates over the doubtful points with their rulings, the first of each rule with its title.

    Rules that are switched have none.
    """
    switched = {key.partition(".")[0] for key in variant.switches}
    places: list[tuple[str, object]] = [*variant.why.items()]
    places += [("calls", lookup(variant.calls, "why")), ("match", variant.match.get("why"))]
    places.append(("fixed", variant.fixed))
    for leaf, written in places:
        if leaf in switched or (leaf == "calls" and switched & set(CALL_SWITCHES)):
            continue
        title = "" if leaf == "fixed" else f"{wording.text(f'words.leaf.{leaf}')}. "
        for entry in entries(written):
            says, ruling = (in_language(entry.get(key), wording.lang) for key in ("says", "ruling"))
            if entry.get("mark") == "doubtful" and says and ruling:
                said = wording.text("words.about.doubt", says=says, ruling=uncapitalised(ruling))
                yield _paragraph(f"R{entry.get('doubt')}", title + said)
                title = ""


def _sources(wording: Wording) -> Iterator[Clause]:
    """Iterates over the sources, the kind of reconstruction, and misprints."""
    for number, source in enumerate(entries(wording.about.get("sources")), 1):
        yield _paragraph(str(number), _source(source, wording))
    for key in ("status_note", "misprints"):
        yield from _long_text(wording, key, f"{key}.")


def _source(source: Mapping[str, Any], wording: Wording) -> str:
    """Formats a source: title, author, publisher and year, then its part, a note and its address."""
    title = wording.text("words.about.title", title=source.get("title", ""))
    facts = [title, *(str(source[key]) for key in ("author", "publisher", "year") if source.get(key))]
    part = in_language(source.get("part"), wording.lang)
    sentences = [
        f"{', '.join(facts)}.",
        f"{part}." if part else None,
        in_language(source.get("note"), wording.lang),
        source.get("url"),
    ]
    return " ".join(str(sentence) for sentence in sentences if sentence)
