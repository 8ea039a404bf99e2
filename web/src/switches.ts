// Switches: rules changed by name, as `hnefi.variants.switches` applies them. Here they are in canonical form.

import type { Changes } from "./changes.ts";
import { piecesOf } from "./positions.ts";
import { ruleInWords } from "./rule_words.ts";
import { type Parameter, type Piece, Rules, ruleSchema } from "./rules.ts";
import { LANGUAGE } from "./texts.ts";
import { goalsOf, type VariantFacts, variantQuery } from "./variants.ts";

type Tree = Record<string, unknown>;

/** The switches of the calls, which are not part of the rules. */
export const CALL_SWITCHES: readonly string[] = ["sanction", "replay", "wrong_number"];

const KINDS = ["attackers", "defenders", "king"];
// The order in which these entries of a map are written; those of the other maps are in alphabetical order.
const ZONES = ["on_throne", "beside_throne", "elsewhere"];

/** Rules after a change. */
interface ChangedRules {
  readonly tree: Tree;
  /** The switches that change something, sorted. */
  readonly switches: Readonly<Record<string, string>>;
  /** The value of every rule as a switch. */
  readonly values: Readonly<Record<string, string>>;
  /** The rules whose values differ from before. */
  readonly differing: ReadonlySet<string>;
}

/** Changes a rule tree. Values that cannot be read are left for the core to find. */
export async function changedRules(before: object, switches: Readonly<Record<string, string>>): Promise<ChangedRules> {
  const schema = await ruleSchema();
  const [old, tree] = [completed(before, schema), completed(before, schema)];
  for (const [key, text] of Object.entries(switches)) {
    const [name, entry] = key.split(".");
    const parameter = schema.find((one) => one.name === name);
    if (!parameter) continue;
    const section = sectionOf(tree, parameter);
    section[parameter.name] = parse(parameter, text, entry, section[parameter.name]);
  }
  const valuesOf = (one: Tree) =>
    Object.fromEntries(schema.map((parameter) => [parameter.name, format(sectionOf(one, parameter)[parameter.name])]));
  const [was, values] = [valuesOf(old), valuesOf(tree)];
  const differing = new Set(Object.keys(values).filter((name) => values[name] !== was[name]));
  const changed = [...differing].sort().map((name) => [name, values[name] ?? ""]);
  return { tree, values, differing, switches: Object.fromEntries(changed) };
}

/** Returns a copy with the keys that a file may leave out: those of the section `special`. */
function completed(before: object, schema: readonly Parameter[]): Tree {
  const tree = structuredClone(before) as Tree;
  const neutral = schema.filter(({ path }) => path.startsWith("special.")).map((one) => [one.name, structuredClone(one.neutral)]);
  tree["special"] = { ...Object.fromEntries(neutral), ...((tree["special"] as Tree | undefined) ?? {}) };
  return tree;
}

function sectionOf(tree: Tree, { path }: Parameter): Tree {
  const [section, name] = path.split(".");
  return name === undefined ? tree : ((tree[section ?? ""] ??= {}) as Tree);
}

function parse(parameter: Parameter, text: string, entry: string | undefined, old: unknown): unknown {
  if (!parameter.keys) return parseScalar(parameter.kind, text);
  const { keys } = parameter;
  if (entry !== undefined) return { ...(old as Tree), [entry]: parseScalar(keys[entry]?.kind ?? "choice", text) };
  const names = inOrder(Object.keys(keys));
  const parts = text === "none" && parameter.name === "repetition" ? ["0", "none"] : text.split(",");
  const all = parts.length === 1 ? names.map(() => text) : parts;
  return Object.fromEntries(names.map((name, place) => [name, parseScalar(keys[name]?.kind ?? "choice", all[place] ?? "")]));
}

function parseScalar(kind: string, text: string): unknown {
  if (kind === "flag") return text === "true" ? true : text === "false" ? false : text;
  if (kind === "integer" || kind === "size") return /^\d{1,6}$/.test(text) ? Number(text) : text;
  if (kind === "kinds") return text === "none" ? [] : KINDS.filter((name) => text.split(",").includes(name));
  if (kind === "camps") return text === "none" ? [] : text.split("/").map((camp) => camp.trim().split(/[\s,]+/).filter(Boolean));
  return text;
}

/** Formats the value of a rule so that a switch reads it back the same. */
function format(value: unknown): string {
  if (Array.isArray(value)) {
    if (Array.isArray(value[0])) return value.map((camp: readonly string[]) => camp.join(" ")).join("/");
    return value.join(",") || "none";
  }
  if (value === null || typeof value !== "object") return String(value);
  return inOrder(Object.keys(value)).map((name) => format((value as Tree)[name])).join(",");
}

function inOrder(names: readonly string[]): readonly string[] {
  return names.length === ZONES.length && ZONES.every((zone) => names.includes(zone)) ? ZONES : [...names].sort();
}

/** Returns a variant with changed rules. Rejects with `FaultyRules`. */
export async function changedFacts(base: VariantFacts, { switches: asked, title }: Changes): Promise<VariantFacts> {
  const { tree, switches } = await changedRules(base.tree, asked);
  const { hash, start } = (await Rules.load(tree)).facts;
  const calls = base.calls ? Object.entries(asked).filter(([key]) => CALL_SWITCHES.includes(key)) : [];
  const all = { ...switches, ...Object.fromEntries(calls) };
  const pieces = [...piecesOf(start).values()];
  const count = (piece: Piece) => pieces.filter((one) => one.split("_")[0] === piece).length;
  return {
    ...base,
    title: title || null,
    rules: `/${LANGUAGE}/rules/new?${variantQuery(base.id, { switches: all, title })}`,
    tree,
    hash,
    switches: all,
    changes: await Promise.all(Object.entries(all).map(([key, value]) => ruleInWords(key, value))),
    goals: goalsOf(tree),
    counts: { ...base.counts, attacker: count("attacker"), defender: count("defender"), king: count("king") },
    calls: base.calls && { ...base.calls, ...Object.fromEntries(calls) },
    harder: null,
  };
}
