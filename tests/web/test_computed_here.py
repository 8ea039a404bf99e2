"""What pages compute without the server is what the server computes: changed rules, records."""

from itertools import islice
from typing import Any

from playwright.sync_api import expect

from hnefi import sample_game
from hnefi.errors import VariantError
from hnefi.record import format_records, parse_records
from hnefi.server.assets import Assets
from hnefi.variants.finding import all_variants, variant
from hnefi.variants.schema import schema, value_at
from hnefi.variants.similarity import rule_differences
from hnefi.variants.switches import format_value
from tests.web.conftest import Visitors
from tests.web.game_page import downloaded, opened
from tests.web.test_analysis import read

CHANGE = """async ([switches, rules, cases]) => {
    const { changedRules } = await import(switches);
    const { Rules } = await import(rules);
    const results = [];
    for (const [tree, changes] of cases) {
        const changed = await changedRules(tree, changes);
        const loaded = await Rules.load(changed.tree).then(({ facts }) => facts.hash).catch(({ faults }) =>
            faults.map(({ kind }) => kind));
        results.push([changed.switches, loaded]);
    }
    return results;
}"""
PARSE = """async ([module, texts]) => {
    const { parseRecords } = await import(module);
    const views = [];
    for (const text of texts) {
        const response = await fetch("/api/records", {
            method: "POST",
            headers: { "Content-Type": "application/json" },
            body: JSON.stringify({ text, variant: "brandub-globe", switches: {} }),
        });
        views.push([await response.json(), await parseRecords(text)]);
    }
    return views;
}"""
RECORD = f"""[Event "Spring \\"fair\\""]
[Attackers "Ana"]
[Variant "brandub-globe"]
[Rules "{variant("brandub-globe").rules.hash}"]
[Result "*"]

{{Before
the game}} 1. d2-c2 @0:14:40 {{!}} {{good \\}} move}} (1. d6-e6 {{a line}} 2. d5-c5 (2. d3-c3
3. a4-a5)) 2. d5-c5 @1:02:03.450 *
"""
REFUSED = f"""[Variant "brandub-globe"]
[Rules "{variant("brandub-globe").rules.hash}"]
[Start "3t3/7/1t5/6t/3K3/1T5/7 d 0"]
[Calls "manual"]
[Sanction "replay"]

1. d3-d1 2. b5-b6 taken_back @0:00:09 3. d1-a1 refused {{!?}} (3. d1-d2) 2. b5-b6 (2. b5-c5
3. d1-g1) (2. b5-d5 taken_back 3. d1-a1 refused 2. b5-e5) 3. d1-d2 4. b6-b5 taken_back 5. d2-d1 refused *
"""


def _cases() -> list[tuple[str, dict[str, str]]]:
    """Returns a variant and switches that make another one of it, or change one rule or a part of one."""
    every = list(all_variants())
    cases = []
    for one, other in zip(every, islice([*every, *every], 7, None), strict=False):
        differences = [found.leaf for found in rule_differences(one.tree, other.tree)]
        values = {leaf: format_value(leaf, value_at(other.tree, leaf)) for leaf in differences}
        cases += [(one.id, values), *((one.id, {leaf: value}) for leaf, value in islice(values.items(), 2))]
    for leaf, entry in schema().items():
        for name in entry.get("keys", {}):
            value = value_at(variant("fetlar-11").tree, leaf)[name]
            cases.append(("tablut-kouvia", {f"{leaf}.{name}": format_value(leaf, value)}))
    return cases


def _changed(name: str, switches: dict[str, str]) -> object:
    """Returns the hash of changed rules, or the kinds of their faults."""
    try:
        return variant(name).with_switches(switches).rules.hash
    except VariantError as error:
        return [fault.kind for fault in error.faults]


def test_rules_are_changed_as_in_python(visit: Visitors) -> None:
    assets, cases = Assets.load_names(), _cases()
    trees = [(variant(name).tree_dict, switches) for name, switches in cases]
    page = opened(visit, "/en/table?variant=brandub-globe")
    results: list[Any] = page.evaluate(CHANGE, [assets.url("switches.js"), assets.url("rules.js"), trees])
    assert [loaded for _, loaded in results] == [_changed(*case) for case in cases]
    played = [
        (case, got) for case, (got, loaded) in zip(cases, results, strict=True) if isinstance(loaded, str)
    ]
    assert len(played) > len(cases) // 3
    for (name, switches), got in played:
        assert got == dict(variant(name).with_switches(switches).switches)


def test_records_are_read_as_by_the_server(visit: Visitors) -> None:
    found = [sample_game(variant(name)) for name in ("tablut-kouvia", "copenhagen-11", "berserk-11")]
    samples = [one for one in found if one is not None]
    assert len(samples) == len(found)
    texts = [RECORD, format_records([*parse_records(RECORD), *samples]), REFUSED]
    page = opened(visit, "/en/analysis?variant=brandub-globe")
    views = page.evaluate(PARSE, [Assets.load_names().url("native_record.js"), texts])
    assert len(views) == len(texts)
    # Not all of its escapes would be refused, which is not asked here.
    by_server, here = views.pop()
    assert here["games"] == by_server["games"]
    for by_server, here in views:
        assert by_server["faults"] == []
        assert here == by_server


def test_a_record_with_refused_escapes_is_written_as_by_the_server(visit: Visitors) -> None:
    visit.expected += ("net::ERR_FAILED",)
    page = opened(visit, "/en/analysis?variant=brandub-globe")
    read(page, REFUSED)
    expect(page.get_by_text("1 game loaded.")).to_be_visible()
    written = []
    for _ in range(2):
        text = downloaded(page, "Download").path().read_text("utf-8")
        written += parse_records(text)
        page.route("**/api/records/text", lambda route: route.abort())
    page.unroute("**/api/records/text")
    page.get_by_label("Format").select_option("moves")
    downloaded(page, "Download")
    expect(page.get_by_role("list", name="leaves something out")).to_contain_text("refused escapes left out")
    by_server, here = written
    assert here.nodes == by_server.nodes == parse_records(REFUSED)[0].nodes
    assert {name: here.header(name) for name in ("Calls", "Sanction", "Start", "Result")} == {
        name: by_server.header(name) for name in ("Calls", "Sanction", "Start", "Result")
    }
