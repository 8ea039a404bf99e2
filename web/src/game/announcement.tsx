// Announcements above the moves: calls, refused escapes, the end. Their room is kept free while there is none.

import type { GameState, Outcome, Side } from "../rules.ts";
import { capitalised, t } from "../texts.ts";
import { writtenMove } from "../ui/written_move.ts";
import { type CallFacts, callWord, type VariantFacts } from "../variants.ts";
import { dangerText } from "./counters.tsx";
import { outcomeFor, ownSide } from "./ending.ts";
import { calledAt } from "./played_game.ts";
import { scoreText } from "./match.ts";
import type { Snapshot } from "./source.ts";

interface Announcement {
  readonly kind: "call" | "refused" | "end";
  readonly title: string;
  readonly words: string;
  /** How many open roads are drawn beside it. */
  readonly roads: number;
}

/** Returns the announcement at a position of the game, or null. */
export function announcementAt(snapshot: Snapshot, at: number): Announcement | null {
  const { facts, line, cancelled } = snapshot;
  const state = line.games[at]?.state;
  if (!state) return null;
  if (cancelled && at === line.games.length - 1) {
    return { kind: "end", title: t("web.game_cancelled"), words: t(`web.game_cancelled.${cancelled}`), roads: 0 };
  }
  if (state.outcome) return endOf(snapshot, state.outcome);
  if (state.calls.refused && facts.calls) return refusedEscape(facts.calls, state, writtenMove(line.refusals.at(-1)?.escape ?? ""));
  const roads = calledAt(line, at);
  if (roads && facts.calls) return openRoads(facts.calls, state, roads);
  return kingInDanger(facts, state, ownSide(snapshot));
}

function endOf(snapshot: Snapshot, outcome: Outcome): Announcement {
  const { score } = snapshot;
  return { kind: "end", title: outcomeFor(snapshot, outcome), words: score ? scoreText(score) : "", roads: 0 };
}

function refusedEscape(calls: CallFacts, state: GameState, escape: string): Announcement {
  const square = state.calls.must_replay;
  const words = square ? t("web.refused.same_piece", { square, escape }) : t("web.refused.any_piece", { escape });
  const word = capitalised(callWord(calls, state.calls.required));
  return { kind: "refused", title: t("web.refused", { word }), words, roads: 0 };
}

function openRoads(calls: CallFacts, state: GameState, roads: 1 | 2): Announcement {
  const word = capitalised(callWord(calls, roads));
  const goals = state.calls.owed.join(", ");
  const isNamed = state.calls.mode === "auto" && roads === 1 && state.king !== null;
  const words = isNamed ? t("web.road.from", { king: state.king ?? "", goal: goals }) : t(`web.roads.${roads}`);
  return { kind: "call", title: t("web.exclaimed", { word }), words, roads };
}

function kingInDanger(facts: VariantFacts, { danger, turn, calls }: GameState, own: Side | null): Announcement | null {
  if (!facts.calls?.in_danger || calls.mode !== "auto" || !danger?.threatened || turn !== "defenders") return null;
  const word = capitalised(facts.calls.words.king_in_danger);
  return { kind: "call", title: t("web.exclaimed", { word }), words: dangerText("defenders", own), roads: 0 };
}

interface Props {
  readonly announcement: Announcement | null;
  /** Whether its room is kept free while there is none. */
  readonly isRoomKept: boolean;
}

/** Shows an announcement; the board reads it to screen readers after the move. */
export function AnnouncementBox({ announcement, isRoomKept }: Props) {
  if (!announcement) return isRoomKept ? <div class="pair call empty" /> : null;
  const { kind, title, words, roads } = announcement;
  return (
    <div class={`pair call ${kind}`}>
      {roads > 0 && (
        <svg viewBox="0 0 44 32" aria-hidden="true">
          <path d={roads === 1 ? "M3 8l8 8-8 8M14 8l8 8-8 8" : "M3 8l8 8-8 8"} />
          <path d={roads === 1 ? "M40 4H30M40 28H30M40 4v24" : "M26 4H18M26 28H18M26 4v24M40 4H32M40 28H32M40 4v24"} />
        </svg>
      )}
      <p>
        <b class="cut">{title}</b> <span>{words}</span>
      </p>
    </div>
  );
}
