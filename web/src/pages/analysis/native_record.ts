// Records in the format of Hnefi (docs/reference/formats.md) without the server: what it cannot name it refuses.

import type { RecordsView, RecordView, TreePlyView } from "../../messages.ts";
import { commentUnits, headerLines, wrapped } from "../../record_text.ts";
import { type Game, Refused, Rules } from "../../rules.ts";
import { t } from "../../texts.ts";
import { BY_PLAYERS } from "../../ui/outcome.ts";
import { variantFacts } from "../../variant_facts.ts";
import { type Alternative, alternativesAfter, countedFirst, endOf, flatten, GLYPHS, type MoveTree, plyOf, START, treeOf } from "./move_tree.ts";
import { GameCache, type Study } from "./study.ts";

const RESULTS = ["attackers", "defenders", "draw", "*"];
/** Headers that are written anew. */
const REWRITTEN = ["Variant", "Revision", "Rules", "Switches", "Base", "Start", "Result", "Reason"];
const MOST_DEPTH = 64;

/** Writes the moves of a study as a record. */
export function formatRecord(study: Study): string {
  const { facts, rules, start, headers, tree } = study;
  const games = new GameCache(study);
  const kept = new Map(headers.map(({ name, value }) => [name, value]));
  const { outcome } = games.after(tree, endOf(tree, START)).state;
  const isAgreed = BY_PLAYERS.includes(kept.get("Reason") ?? "");
  const result = outcome ? (outcome.winner ?? "draw") : isAgreed ? (kept.get("Result") ?? "*") : "*";
  const switches = Object.entries(facts.switches).map(([key, value]) => `${key}=${value}`);
  const written = headerLines([
    ["Variant", facts.id],
    ["Rules", rules.facts.hash],
    ["Switches", switches.join("; ")],
    ...headers.filter(({ name }) => !REWRITTEN.includes(name)).map(({ name, value }) => [name, value] as const),
    ["Start", start],
    ["Result", result],
    ["Reason", outcome?.reason ?? (isAgreed ? kept.get("Reason") : null)],
  ]);
  const passed = games.after(tree, START).state.passed ? ["--"] : [];
  const comments = plyOf(tree, START).comments.flatMap(commentUnits);
  return `${written}\n${wrapped([...comments, ...passed, ...mainUnits(tree, games, START), result])}\n`;
}

/** Returns the units of the main line after a ply, with refused escapes. */
function mainUnits(tree: MoveTree, games: GameCache, after: number): string[] {
  const units: string[] = [];
  for (let at: number | undefined = after; at !== undefined; ) {
    const [main, ...others]: readonly Alternative[] = alternativesAfter(tree, at);
    units.push(...undoneUnits(tree, games, main?.undone ?? []));
    at = main?.counted;
    if (at !== undefined) units.push(...moveUnits(tree, games, at, others, true));
  }
  return units;
}

/** Returns the units of moves taken back, each with the refused escape after it. */
function undoneUnits(tree: MoveTree, games: GameCache, undone: readonly number[]): string[] {
  return undone.flatMap((id) => {
    const [refused = START, ...others] = plyOf(tree, id).children;
    const lines = others.map((counted) => ({ counted, undone: [] }));
    return [...moveUnits(tree, games, id, []), ...moveUnits(tree, games, refused, lines)];
  });
}

/** Returns the units of a move, and of the alternatives to it. */
function moveUnits(
  tree: MoveTree,
  games: GameCache,
  id: number,
  others: readonly Alternative[],
  isCounted = false,
): string[] {
  const ply = plyOf(tree, id);
  const { last, passed, ply: number } = games.after(tree, id).state;
  const units = [`${number}. ${last?.text ?? ply.move}${ply.call ? `!${ply.call}` : ""}`];
  if (!isCounted) units.push(ply.status);
  if (ply.clock_ms !== null) units.push(clock(ply.clock_ms));
  units.push(...[...(ply.glyph ? [ply.glyph] : []), ...ply.comments].flatMap(commentUnits));
  for (const { counted = START, undone } of others) {
    const before = plyOf(tree, counted).before.flatMap(commentUnits);
    const taken = undoneUnits(tree, games, undone);
    const line = [...before, ...taken, ...moveUnits(tree, games, counted, [], true), ...mainUnits(tree, games, counted)];
    line[0] = `(${line[0]}`;
    units.push(...line.slice(0, -1), `${line.at(-1)})`);
  }
  return passed && isCounted ? [...units, "--"] : units;
}

/** Formats a clock time: hours, minutes, seconds, and milliseconds if there are any. */
function clock(clock_ms: number): string {
  const [seconds, ms] = [Math.floor(clock_ms / 1000), clock_ms % 1000];
  const two = (value: number) => String(value).padStart(2, "0");
  const rest = ms ? `.${String(ms).padStart(3, "0")}` : "";
  return `@${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}${rest}`;
}

/** Something that only the server can read, or can say what is wrong with. */
class NeedsServer extends Error {}

/** Reads a text of records. Null if it is none in the format of Hnefi. */
export async function parseRecords(text: string): Promise<RecordsView | null> {
  const source = text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  if (!/^\s*\[\w+ "/.test(source) || !/^\[Variant "/m.test(source)) return null;
  const games: RecordView[] = [];
  const faults: RecordsView["faults"] = [];
  for (const [place, part] of gamesOf(source).entries()) {
    try {
      games.push(await parseGame(part, place + 1));
    } catch (error) {
      if (!(error instanceof NeedsServer || error instanceof Refused)) throw error;
      const message = t("web.analysis.read.offline.fault");
      faults.push({ code: "needs_server", message, game: place + 1, line: 0, column: 0, ply: 0 });
    }
  }
  return { games, faults, remarks: [], gaps: [] };
}

/** Splits a text before the first header of each game: headers stand on lines of their own, moves follow. */
function gamesOf(text: string): readonly string[] {
  const games: string[][] = [];
  let isInHeaders = false;
  for (const line of text.split("\n")) {
    const isHeader = line.startsWith("[");
    if (isHeader && !isInHeaders) games.push([]);
    if (line.trim() !== "") isInHeaders = isHeader;
    games.at(-1)?.push(line);
  }
  return games.map((lines) => lines.join("\n"));
}

async function parseGame(text: string, number: number): Promise<RecordView> {
  const lines = text.split("\n");
  const end = lines.findIndex((line) => line.trim() !== "" && !line.startsWith("["));
  const headers = lines.slice(0, end).filter((line) => line.trim() !== "").map(parseHeader);
  const header = (name: string) => headers.find((one) => one.name === name)?.value.trim();
  const switches = (header("Switches") ?? "").split(";").filter((one) => one.trim() !== "").map((one) => one.split("="));
  const facts = await variantFacts(header("Variant") ?? "", {
    switches: Object.fromEntries(switches.map(([key = "", value = ""]) => [key.trim(), value.trim()])),
  }).catch(() => null);
  const rules = facts && (await Rules.load(facts.tree));
  if (!facts || !rules || (header("Rules") ?? "") !== rules.facts.hash) throw new NeedsServer();
  const start = header("Start") ?? null;
  const begun = rules.newGame({ setup: start });
  const tree = new Line(begun);
  const result = tree.read(lines.slice(end).join("\n"));
  if (result !== (header("Result") ?? "*")) throw new NeedsServer();
  const usual = rules.newGame().state.position;
  const isUsual = begun.state.position === usual;
  return {
    game: number,
    variant: facts.id,
    switches: { ...facts.switches },
    start: isUsual ? null : start,
    headers,
    comments: tree.comments,
    plies: flatten(countedFirst(treeOf(tree.plies, tree.comments))),
  };
}

function parseHeader(line: string): { name: string; value: string } {
  const [, name, value] = /^\[([A-Za-z]\w*) "((?:[^"\\]|\\.)*)"\]\s*$/.exec(line) ?? [];
  if (name === undefined || value === undefined) throw new NeedsServer();
  return { name, value: unquoted(value) };
}

const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\", '"': '"', "{": "{", "}": "}", "[": "[", n: "\n" };

/** Resolves escapes; a line break reads as one blank with the blanks around it, one after a backslash as itself. */
function unquoted(text: string): string {
  return text.replace(/\\u([0-9A-Fa-f]{4})|\\([^])|[ \t]*\n[ \t]*/g, (whole, number?: string, plain?: string) => {
    if (number !== undefined) return String.fromCharCode(Number.parseInt(number, 16));
    if (plain === undefined) return " ";
    const found = plain === "\n" ? "\n" : ESCAPES[plain];
    if (found === undefined) throw new NeedsServer(whole);
    return found;
  });
}

/** The index of a ply, and the game after it. */
interface Point {
  readonly at: number;
  readonly game: Game;
}

/** The place in a line at which moves are added: the game there, and the one before its last move. */
interface Place extends Point {
  readonly before: Point | null;
  /** Where the next move is played, if the last one is a refused escape. */
  readonly again?: Point | null;
  readonly comments: string[];
  readonly hasMoves: boolean;
}

const TOKEN = /\s*(?:\{((?:[^}\\]|\\[^])*)\}|([()])|(\d+)\.|([^\s{}()]+))/y;

/** Reads the moves of a game into a list of plies. */
class Line {
  readonly plies: TreePlyView[] = [];
  readonly comments: string[] = [];
  #place: Place;
  readonly #open: Place[] = [];
  /** Before the last move that was taken back. */
  #taken: Point | null = null;

  constructor(game: Game) {
    this.#place = { at: -1, game, before: null, comments: this.comments, hasMoves: true };
  }

  /** Reads moves up to the result, which it returns. */
  read(text: string): string {
    TOKEN.lastIndex = 0;
    for (let found = TOKEN.exec(text); found; found = TOKEN.exec(text)) {
      const [, comment, bracket, number, word] = found;
      if (comment !== undefined) this.#comment(unquoted(comment));
      else if (bracket === "(") this.#begin();
      else if (bracket === ")") this.#end();
      else if (number !== undefined) this.#check(Number(number));
      else if (RESULTS.includes(word ?? "")) {
        if (this.#open.length > 0 || text.slice(TOKEN.lastIndex).trim() !== "") throw new NeedsServer();
        return word ?? "*";
      } else this.#word(word ?? "");
    }
    throw new NeedsServer();
  }

  #comment(comment: string): void {
    const { at, hasMoves, comments } = this.#place;
    const ply = hasMoves ? this.plies[at] : undefined;
    const glyph = GLYPHS.find((one) => one === comment);
    const own = ply?.comments ?? comments;
    if (ply && glyph && own.length === 0 && !ply.glyph) ply.glyph = glyph;
    else own.push(comment);
  }

  #begin(): void {
    const { before, hasMoves } = this.#place;
    if (!before || !hasMoves || this.#open.length >= MOST_DEPTH) throw new NeedsServer();
    this.#open.push(this.#place);
    this.#place = { ...before, before: null, comments: [], hasMoves: false };
  }

  #end(): void {
    const outer = this.#open.pop();
    // A line of nothing but what was taken back is another one for the server.
    const { again, hasMoves } = this.#place;
    if (!outer || !hasMoves || (again && again.at === outer.before?.at)) throw new NeedsServer();
    this.#place = outer;
  }

  #check(number: number): void {
    const { game } = this.#place.again ?? this.#place;
    if (number !== game.state.ply + 1) throw new NeedsServer();
  }

  #word(word: string): void {
    if (word === "--") {
      if (!this.#place.game.state.passed) throw new NeedsServer();
    } else if (word === "taken_back" || word === "refused") {
      this.#undo(word);
    } else if (word.startsWith("@")) {
      this.#clock(word);
    } else {
      this.#move(word);
    }
  }

  /** Marks the last move as taken back, or as the refused escape after which the line goes on before both. */
  #undo(status: "taken_back" | "refused"): void {
    const { at, before, hasMoves } = this.#place;
    const ply = hasMoves ? this.plies[at] : undefined;
    const isPair = this.plies[before?.at ?? -1]?.status === "taken_back";
    if (!ply || !before || isPair !== (status === "refused")) throw new NeedsServer();
    ply.status = status;
    if (isPair) this.#place = { ...this.#place, again: this.#taken };
    else this.#taken = before;
  }

  #clock(word: string): void {
    const [, hours, minutes, seconds, ms] = /^@(\d{1,6}):([0-5]\d):([0-5]\d)(?:\.(\d{3}))?$/.exec(word) ?? [];
    const ply = this.#place.hasMoves ? this.plies[this.#place.at] : undefined;
    if (hours === undefined || !ply) throw new NeedsServer();
    ply.clock_ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(ms ?? 0);
  }

  #move(word: string): void {
    const { comments, hasMoves, again } = this.#place;
    const { at, game } = again ?? this.#place;
    const [, text = "", call = "0"] = /^([^!]+)(?:!([12]))?$/.exec(word) ?? [];
    const after = game.play(text);
    const { from, to } = after.state.last ?? { from: "", to: "" };
    const before = hasMoves ? [] : comments;
    const bare = { glyph: "", clock_ms: null, status: "played" } as const;
    this.plies.push({ ...bare, parent: at, move: `${from}-${to}`, comments: [], before, call: Number(call) });
    this.#place = { at: this.plies.length - 1, game: after, before: { at, game }, comments, hasMoves: true };
  }
}
