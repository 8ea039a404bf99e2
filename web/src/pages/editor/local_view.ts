// The edited rules without the server: the board, and the faults that the core finds. Words need the server.

import type { RuleFault, RulesView, ShapeView } from "../../messages.ts";
import { type Fault, FaultyRules, Rules } from "../../rules.ts";
import { CALL_SWITCHES, changedRules } from "../../switches.ts";
import { hasText, readJson, t } from "../../texts.ts";
import { keptFacts, variantFacts } from "../../variant_facts.ts";
import { variantQuery } from "../../variants.ts";
import type { KnownLayout } from "./layout.ts";

/** How faults are told, as `editing.py` tells them. */
interface FaultTexts {
  /** The text of a fault of its own, by kind; it may name a fact. */
  readonly texts: Readonly<Record<string, string>>;
  /** What is found and what is expected, by kind, made of facts. */
  readonly found: Readonly<Record<string, readonly [string, string]>>;
}

const NOTHING_IN_WORDS = { sections: [], follows: [], like: null, file_name: "", toml: "", opentafl: "", gaps: [] };

/** Returns the view of rules as the server would, without words. Rejects with the cause if the variant is not kept. */
export async function localView(
  variant: string,
  asked: Readonly<Record<string, string>>,
  before: RulesView,
  cause: unknown,
): Promise<RulesView> {
  const base = await keptFacts(variant);
  if (!base) throw cause;
  // The tree of the core: in a file the start position may be a diagram.
  const original = (await Rules.load(base.tree)).facts.tree;
  const { tree, values, switches, differing } = await changedRules(original, withLayout(original, asked));
  const calls = base.calls ? { ...pick(base.calls), ...pick(asked) } : {};
  const changedCalls = Object.fromEntries(Object.entries(pick(asked)).filter(([key, value]) => pick(base.calls ?? {})[key] !== value));
  const all = { ...switches, ...(base.calls ? changedCalls : {}) };
  const shown = { ...values, ...calls };
  const rules = Object.fromEntries(
    Object.entries(shown).map(([leaf, value]) => [
      leaf,
      { value, text: "", differs: differing.has(leaf) || leaf in changedCalls, applies: true },
    ]),
  );
  const view = {
    ...NOTHING_IN_WORDS,
    values: shown,
    switches: all,
    start: String((tree["board"] as { start: string }).start),
    query: String(variantQuery(variant, { switches: all })),
  };
  try {
    const { size, throne, corners, camps, goals } = (await Rules.load(tree)).facts;
    const shape = { size, throne, corners: [...corners], camps: camps.map((camp) => [...camp]), goals: [...goals] };
    return { ...view, ok: true, faults: [], shape, rules, facts: { ...(await variantFacts(variant, { switches: all })) } };
  } catch (error) {
    if (!(error instanceof FaultyRules)) throw error;
    const faults = error.faults.map((fault) => told(fault, values));
    return { ...view, ok: false, faults, shape: shapeOf(Number(values["size"]), before.shape), rules: {}, facts: null };
  }
}

/** Returns the switches of the calls among others. */
function pick(all: object): Record<string, string> {
  return Object.fromEntries(Object.entries(all).filter(([key, value]) => CALL_SWITCHES.includes(key) && typeof value === "string"));
}

/** Adds the most frequent start position of the size of the board, if the given one has another size. */
function withLayout(tree: object, asked: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const size = asked["size"]?.trim();
  const start = asked["start"] ?? (tree as { board: { start: string } }).board.start;
  const layouts = readJson<Readonly<Record<string, readonly KnownLayout[]>>>("layouts") ?? {};
  const usual = layouts[size ?? ""]?.[0]?.rows;
  const count = start.trim().split(start.includes("/") ? "/" : /\s*\n\s*/).length;
  return usual === undefined || count === Number(size) ? asked : { ...asked, start: usual };
}

/** Returns a board for rules with faults: its special squares are those of the last rules of its size. */
function shapeOf(size: number, before: ShapeView): ShapeView {
  return size === before.size ? before : { size: size || before.size, throne: null, corners: [], camps: [], goals: [] };
}

/** Returns a fault of the core with its rule and in words. */
function told({ code, kind, path, facts }: Fault, values: Readonly<Record<string, string>>): RuleFault {
  const { texts, found } = readJson<FaultTexts>("faults") ?? { texts: {}, found: {} };
  const filled = (text: string) => text.replace(/\{(\w+)\}/g, (whole, name: string) => facts[name] ?? whole);
  const [was, expected] = found[kind] ?? ["{found}", "{expected}"];
  const given = { ...facts, path, found: filled(was), expected: filled(expected), n: facts["count"] ?? "", square: facts["square"] ?? "" };
  const own = `page.editor.fault.${filled(texts[kind] ?? "")}`;
  const leaf = path.split(".").find((part) => part in values) ?? null;
  return { leaf, code, message: t(hasText(own) ? own : `fault.${code}`, given) };
}
