// The panel of the opening book: its moves at the position that is shown, with scores, results and sources.

import { useState } from "preact/hooks";
import type { Game, Rules } from "../../rules.ts";
import { storedText, storeText } from "../../storage.ts";
import { LANGUAGE, plural, t } from "../../texts.ts";
import { moveText } from "../../ui/written_move.ts";
import { type BookMove, type Counts, type OpeningBook, useBook } from "./book.ts";
import { isLegal, Results } from "./openings.tsx";

interface Props {
  readonly rules: Rules;
  readonly game: Game;
  readonly play: (move: string) => void;
}

const KEY = "hnefi.book";
const NUMBER = new Intl.NumberFormat(LANGUAGE);

export function BookPanel({ rules, game, play }: Props) {
  const [isOpen, setOpen] = useState(storedText(KEY) === "open");
  const { turn, position } = game.state;
  const { book, failure } = useBook(rules, isOpen);
  const moves = book && turn !== null ? book.moves(position).filter(({ moves: [move = ""] }) => isLegal(game, move)) : [];
  const change = (next: boolean) => {
    storeText(KEY, next ? "open" : "folded");
    setOpen(next);
  };
  return (
    <details class="openings book" open={isOpen} onToggle={(event) => change(event.currentTarget.open)}>
      <summary>{t("web.book")}</summary>
      <p class="openings-state" role="status">
        {turn === null ? t("web.analysis.over") : (failure ?? (book ? plural("web.book.moves", moves.length) : t("web.waiting")))}
      </p>
      {book && moves.length > 0 && <Moves book={book} moves={moves} game={game} play={play} />}
      {book && <p class="openings-key">{sourcesText(book)}</p>}
    </details>
  );
}

interface MovesProps {
  readonly book: OpeningBook;
  readonly moves: readonly BookMove[];
  readonly game: Game;
  readonly play: (move: string) => void;
}

function Moves({ book, moves, game, play }: MovesProps) {
  const hasRecorded = moves.some(({ recorded }) => gamesOf(recorded) > 0);
  return (
    <table>
      <caption class="unseen">{t("web.book.table")}</caption>
      <thead>
        <tr>
          <th scope="col">{t("web.openings.move")}</th>
          <th scope="col">{t("web.openings.share")}</th>
          <th scope="col">{t("web.book.searches")}</th>
          <th scope="col">{t("web.book.self_play")}</th>
          {hasRecorded && <th scope="col">{t("web.book.recorded")}</th>}
        </tr>
      </thead>
      <tbody>
        {moves.map((one) => {
          const move = one.moves[0] as string;
          return (
            <tr key={move}>
              <th scope="row">
                <button type="button" aria-label={t("web.openings.play", { move: moveText(game, move) })} onClick={() => play(move)}>
                  {moveText(game, move)}
                </button>
              </th>
              <td>{percentText(book.percent(one.score))}</td>
              <td>{NUMBER.format(one.searches)}</td>
              <td>
                <Games counts={one.self_play} />
              </td>
              {hasRecorded && (
                <td>
                  <Games counts={one.recorded} />
                </td>
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Games({ counts }: { readonly counts: Counts }) {
  const [attackers, draws, defenders, unknown = 0] = counts;
  return gamesOf(counts) > 0 ? <Results of={{ attackers, draws, defenders, unknown }} /> : <>–</>;
}

function gamesOf([attackers, draws, defenders, unknown = 0]: Counts): number {
  return attackers + draws + defenders + unknown;
}

function percentText(percent: number | null): string {
  return percent === null ? "–" : t("web.analysis.percent", { percent });
}

function sourcesText(book: OpeningBook): string {
  const { positions, nodes, selfPlay, recorded } = book.sources;
  const facts = {
    positions: plural("web.book.positions", positions, { count: NUMBER.format(positions) }),
    nodes: NUMBER.format(nodes),
    self_play: plural("web.book.self_play_games", selfPlay, { count: NUMBER.format(selfPlay) }),
    recorded: plural("web.book.recorded_games", recorded, { count: NUMBER.format(recorded) }),
  };
  return t(recorded > 0 ? "web.book.sources.recorded" : "web.book.sources", facts);
}
