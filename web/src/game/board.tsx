// The board of a game: shows a position of the line, and lets the user play on the last one.

import { useMemo, useRef } from "preact/hooks";
import type { TaflBoard } from "../board/element.ts";
import type { Arrow, Mark } from "../board/types.ts";
import type { Move } from "../rules.ts";
import type { Sentences } from "../ui/announcer.ts";
import { Board } from "../ui/board.tsx";
import type { Settings } from "../ui/settings.ts";
import { now, visibleState } from "./played_game.ts";
import type { Snapshot } from "./source.ts";
import { earlierPosition, useEvent } from "./voice.ts";

interface Props {
  readonly snapshot: Snapshot;
  readonly at: number;
  readonly settings: Settings;
  readonly isFlipped: boolean;
  /** Whether squares are so small that moves are confirmed. */
  readonly isSmall?: boolean;
  readonly marks?: readonly Mark[];
  readonly arrows?: readonly Arrow[];
  /** Plays a move. Returns the reason if it is refused. */
  readonly move: (move: string) => string | null;
  readonly refused: (reason: string) => void;
  /** Hears of taps that are no moves, with a sentence for those that select nothing. */
  readonly tapped?: (reason: string | null) => void;
  readonly pending?: (move: Move | null) => void;
  /** What screen readers are told besides moves and steps. */
  readonly announced: Sentences;
}

export function GameBoard(props: Props) {
  const { snapshot, at, settings, isFlipped, isSmall, marks, arrows, move, refused, tapped, pending, announced } = props;
  const element = useRef<TaflBoard>(null);
  const { line, isSlow } = snapshot;
  const game = line.games[at] ?? now(line);
  const isNow = at === line.games.length - 1;
  const isOver = now(line).state.outcome !== null;
  const state = useMemo(() => {
    const visible = visibleState(line, at);
    return isNow ? { ...visible, legal: game.legal } : visible;
  }, [game, isNow, isOver]);
  const movable = isNow ? snapshot.movable : "none";
  const event = useEvent(snapshot, at);
  const tap = (reason: string | null) => {
    const told = reason ?? (isNow ? null : earlierPosition());
    if (told && !reason) element.current?.announce(told);
    tapped?.(told);
  };
  const play = (text: string) => {
    const reason = move(text);
    if (reason) refused(reason);
    return !reason;
  };
  return (
    <Board
      element={element}
      shape={game.rules.facts}
      state={state}
      moves={line}
      announced={[event, ...announced]}
      look={settings}
      movable={movable}
      isFlipped={isFlipped}
      hasConfirm={settings.confirm || (isSlow && settings.confirm_slow) || (isSmall === true && settings.confirm_small)}
      hasInput={settings.typed && snapshot.movable !== "none"}
      hasPremove={settings.premove && snapshot.movable !== "both"}
      sent={isNow ? snapshot.pending : null}
      marks={marks}
      arrows={arrows}
      game={game}
      move={play}
      refused={refused}
      tapped={isOver ? undefined : tap}
      pending={pending}
    />
  );
}
