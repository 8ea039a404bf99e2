// What the end of a game says: how it ended for the user, and the moment that decided it.

import { pageAddress, sharedAddress } from "../addresses.ts";
import type { Game, GameState, Move, Outcome, Side } from "../rules.ts";
import { hasText, t } from "../texts.ts";
import { isEscape } from "../ui/game_end.ts";
import { BY_PLAYERS, outcomeText } from "../ui/outcome.ts";
import { gameTitle, otherSide, sideName, variantQuery } from "../variants.ts";
import type { Caption } from "./board_picture.ts";
import { scoreText } from "./match.ts";
import { now, type PlayedGame, plies } from "./played_game.ts";
import type { Seat, Snapshot } from "./source.ts";

/** Whose move decided a game: the user's, or another player's. */
type Whose = "you" | "they";

/** The moment that decided a game: a sentence, the position it is about, and the move that was missed or played. */
export interface Decision {
  readonly text: string;
  readonly at: number;
  readonly move: Move | null;
}

/** Returns the side that the user alone has; null for people at one device, and for spectators. */
export function ownSide({ seats }: Snapshot): Side | null {
  if (seats.attackers.isYou === seats.defenders.isYou) return null;
  return seats.attackers.isYou ? "attackers" : "defenders";
}

/** Returns the heading of a game that is over: "You won on move 23", "You resigned". */
export function endingHeading(snapshot: Snapshot, outcome: Outcome): string {
  const { winner, reason } = outcome;
  const own = ownSide(snapshot);
  if (!winner) return t("web.end.drawn");
  const { name, nickname = name } = snapshot.seats[winner];
  const isNamed = name !== sideName(winner);
  const who = own === winner ? "won" : own ? "lost" : isNamed ? "named" : winner;
  if (who === "lost" && reason === "resignation") return t("web.end.resigned");
  if (BY_PLAYERS.includes(reason)) return t(`web.end.${who}.early`, { name: nickname });
  const isTrap = own !== null && winner === "attackers" && reason === "king_captured";
  return t(isTrap ? `web.end.${who}.trapped` : `web.end.${who}`, { name: nickname, n: plies(snapshot.line).length });
}

/** Returns the sentence under the heading: how the rules ended the game, and the score of a match. */
export function endingLead(snapshot: Snapshot, outcome: Outcome): string {
  const { score } = snapshot;
  const how = outcomeFor(snapshot, outcome);
  return score ? `${how} ${scoreText(score)}` : how;
}

/** Returns what a picture of the end says to whoever gets it: nobody is "you". */
export function endingCaption(snapshot: Snapshot, outcome: Outcome): Caption {
  const { facts, seats } = snapshot;
  const named = (side: Side): Seat => {
    const { name } = seats[side];
    return { ...seats[side], name: name === t("web.you") ? sideName(side) : name, isYou: false };
  };
  const [attackers, defenders] = [named("attackers"), named("defenders")];
  const address = location.protocol === "file:" ? "" : sharedAddress(pageAddress(`new?${variantQuery(facts.id, facts)}`));
  return {
    result: endingHeading({ ...snapshot, seats: { attackers, defenders } }, outcome),
    game: `${gameTitle(facts)} · ${attackers.name} – ${defenders.name}`,
    address: address.replace(/^https?:\/\//, ""),
  };
}

/** Returns how the rules ended a game, to the user if one side is the user's: "You captured the king." */
export function outcomeFor(snapshot: Snapshot, outcome: Outcome): string {
  const key = `web.yours.${outcome.reason}.${ownSide(snapshot)}`;
  return outcome.winner && hasText(key) ? t(key) : outcomeText(outcome);
}

/** Returns what decided a game, as far as the rules alone can tell; null if they cannot. Of several moves that would have
 * helped it is the best one, `e5-e8`, if that is known. */
export function decisionOf({ line, seats }: Snapshot, best: (at: number) => string | null): Decision | null {
  const { outcome } = now(line).state;
  const at = line.games.length - 3;
  const before = line.games[at];
  if (!outcome?.winner || !before || before.state.turn !== otherSide(outcome.winner)) return null;
  const whose = seats[before.state.turn].isYou && !seats[outcome.winner].isYou ? "you" : "they";
  if (isEscape(now(line).state)) return missedWin(before, at, whose, best(at)) ?? openedRoad(line, before, at, whose, best(at));
  if (outcome.reason === "king_captured") return closedTrap(before, at, whose, best(at));
  return null;
}

function missedWin(before: Game, at: number, whose: Whose, best: string | null): Decision | null {
  const { turn } = before.state;
  const move = firstMove(before, best, ({ outcome }) => outcome?.winner === turn);
  const who = whose === "you" ? whose : turn;
  return move && { text: t(`web.end.why.won.${who}`, { move: named(move) }), at, move };
}

function openedRoad(line: PlayedGame, before: Game, at: number, whose: Whose, best: string | null): Decision | null {
  const played = line.games[at + 1]?.state.last ?? null;
  if (before.state.roads.length === 0) {
    return played && { text: t("web.end.why.opened", { move: named(played) }), at, move: played };
  }
  const shut = firstMove(before, best, ({ roads, outcome }) => !outcome && roads.length === 0);
  if (shut) return { text: t(`web.end.why.shut.${whose}`, { move: named(shut) }), at, move: shut };
  return { text: t(before.state.roads.length > 1 ? "web.end.why.two" : "web.end.why.none"), at, move: null };
}

function closedTrap(before: Game, at: number, whose: Whose, best: string | null): Decision | null {
  const road = before.state.roads[0];
  if (road) return { text: t(`web.end.why.missed.${whose}`, { move: named(road) }), at, move: road };
  const won = missedWin(before, at, whose, best);
  if (won || !before.state.danger) return won;
  const safe = firstMove(before, best, ({ danger, outcome }) => !outcome && danger?.threatened === false);
  if (safe) return { text: t(`web.end.why.safe.${whose}`, { move: named(safe) }), at, move: safe };
  return { text: t("web.end.why.lost"), at, move: null };
}

/** Returns the first legal move after which a state holds; the best one before all others. */
function firstMove(game: Game, best: string | null, holds: (state: GameState) => boolean): Move | null {
  const moves = Object.entries(game.legal).flatMap(([from, targets]) => targets.map(({ to }) => ({ from, to })));
  const holding = ({ from, to }: Move) => holds(game.play(`${from}-${to}`).state);
  return moves.find((move) => `${move.from}-${move.to}` === best && holding(move)) ?? moves.find(holding) ?? null;
}

function named({ from, to }: Move): string {
  return `${from}–${to}`;
}
