// The record of a game in this browser, in the format of Hnefi (docs/reference/formats.md), without a server.

import { headerLines, wrapped } from "../record_text.ts";
import type { Side } from "../rules.ts";
import { calledAt, now, type PlayedGame, plies } from "./played_game.ts";
import type { SavedGame } from "./saved_games.ts";

/** Returns the record of a leg. */
export function recordText(game: SavedGame, line: PlayedGame, names: Readonly<Record<Side, string>>): string {
  const { facts, start, mode, legCount, legs, at } = game;
  const { outcome } = now(line).state;
  const switches = Object.entries(facts.switches).map(([key, value]) => `${key}=${value}`);
  const headers: [string, string | null | undefined][] = [
    ["Attackers", names.attackers],
    ["Defenders", names.defenders],
    ["Date", new Date(at).toISOString().slice(0, 10)],
    ["Variant", facts.id],
    ["Rules", facts.hash],
    ["Switches", switches.length > 0 ? switches.join("; ") : null],
    ["Title", facts.title],
    ["Start", start],
    ["Calls", facts.calls ? mode : "off"],
    ["Sanction", facts.calls && mode !== "off" ? facts.calls.sanction : null],
    ["Replay", facts.calls && mode !== "off" ? facts.calls.replay : null],
    ["Match", legCount > 1 ? "two_legs" : "single"],
    ["Leg", String(legs.length)],
    ["Result", outcome ? (outcome.winner ?? "draw") : "*"],
    ["Reason", outcome?.reason],
  ];
  if (facts.calls?.wrong_number === "forgotten" && mode !== "off") headers.push(["WrongNumber", "forgotten"]);
  const result = outcome ? (outcome.winner ?? "draw") : "*";
  return `${headerLines(headers)}\n${wrapped([...units(line), result])}\n`;
}

/** Returns every ply with its number, its captures and its call; a forced pass as "--". */
function units(line: PlayedGame): string[] {
  return plies(line).flatMap((ply, index) => {
    const call = calledAt(line, index + 1);
    const unit = `${index + 1}. ${ply.text}${call ? `!${call}` : ""}`;
    return ply.passed ? [unit, "--"] : [unit];
  });
}
