// The board of the rules editor: the start position is set up on it, or the rules are tried.

import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Mark, ShowOptions } from "../../board/types.ts";
import type { RulesView, ShapeView } from "../../messages.ts";
import { formatPosition, type Position } from "../../positions.ts";
import { type Game, type Rank, Rules } from "../../rules.ts";
import { t } from "../../texts.ts";
import { Board, type PositionEditing, type Tool } from "../../ui/board.tsx";
import { Tick } from "../../ui/choice.tsx";
import { outcomeText } from "../../ui/outcome.ts";
import { PIECES, Tools } from "../../ui/tools.tsx";
import { campsText, imagesOf, type KnownLayout, layoutOf, mirrored, rowsOf, toggled } from "./layout.ts";
import type { RulesDraft } from "./rules_draft.ts";

type EditorTool = Tool | "camp";

const TOOLS: readonly EditorTool[] = ["hand", ...PIECES, "nothing", "camp"];
const RANKS: readonly Rank[] = [
  "attacker_commander",
  "attacker_knight",
  "attacker_renegade",
  "defender_commander",
  "defender_knight",
  "defender_renegade",
];

interface Props {
  readonly draft: RulesDraft;
  readonly view: RulesView;
  readonly layouts: Readonly<Record<string, readonly KnownLayout[]>>;
  readonly children: ComponentChildren;
}

export function BoardPanel({ draft, view, layouts, children }: Props) {
  const [isTrying, setTrying] = useState(false);
  const isTrial = isTrying && view.ok;
  return (
    <>
      <fieldset class="choice modes">
        <legend class="unseen">{t("web.editor.board")}</legend>
        {[false, true].map((mode) => (
          <label key={String(mode)}>
            <input
              type="radio"
              checked={isTrial === mode}
              disabled={mode && !view.ok}
              onChange={() => setTrying(mode)}
            />
            {t(mode ? "web.editor.try" : "web.editor.set_up")}
          </label>
        ))}
      </fieldset>
      {isTrial ? (
        <TrialGame key={view.query} view={view} />
      ) : (
        <StartSetup draft={draft} view={view} layouts={layouts}>
          {children}
        </StartSetup>
      )}
    </>
  );
}

/** The board on which the start position and the camps are set up. */
function StartSetup({ draft, view, layouts, children }: Props) {
  const [tool, setTool] = useState<EditorTool>("hand");
  const [isMirrored, setMirrored] = useState(true);
  const { shape } = view;
  const position = { ...layoutOf(view.start, shape.size), turn: turnOf(view) };
  const edit = (next: Position) => draft.change({ start: rowsOf(isMirrored ? mirrored(position, next) : next) });
  const toggleCamp = (square: string) => {
    const squares = isMirrored ? [square, ...imagesOf(square, shape.size)] : [square];
    draft.change({ camps: campsText(toggled(shape.camps, [...new Set(squares)])) });
  };
  const known = layouts[shape.size] ?? [];
  const rows = rowsOf(position);
  return (
    <>
      <SetupBoard
        shape={shape}
        faults={view.faults.map((fault) => fault.message)}
        position={position}
        tool={tool === "camp" ? "hand" : tool}
        tap={tool === "camp" ? toggleCamp : undefined}
        change={edit}
      />
      {children}
      <div class="stack board-tools">
        <Tools legend={t("web.analysis.tool")} values={TOOLS} chosen={tool} choose={setTool} />
        <Tick isOn={isMirrored} set={setMirrored} label={t("web.editor.mirrored")} />
        <details open={RANKS.some((piece) => [...position.pieces.values()].includes(piece))}>
          <summary class="fold">{t("web.editor.ranks")}</summary>
          <Tools legend={t("web.editor.ranks")} isLegendUnseen values={RANKS} chosen={tool} choose={setTool} />
        </details>
        <label class="text">
          {t("web.editor.layout")}
          <select value={rows} onChange={(event) => draft.change({ start: event.currentTarget.value })}>
            {!known.some((one) => one.rows === rows) && <option value={rows}>{t("web.editor.layout.own")}</option>}
            {known.map((one) => (
              <option key={one.rows} value={one.rows}>
                {one.name}
              </option>
            ))}
          </select>
        </label>
      </div>
    </>
  );
}

function turnOf(view: RulesView): Position["turn"] {
  return view.values["first"] === "defenders" ? "defenders" : "attackers";
}

interface SetupBoardProps extends PositionEditing {
  readonly shape: ShapeView;
  /** What is wrong with the rules; the squares that are named in it are marked. */
  readonly faults: readonly string[];
}

const AT_ONCE: ShowOptions = { animate: false, announce: false };

function SetupBoard({ shape, faults, ...editing }: SetupBoardProps) {
  const { position } = editing;
  // The server sends equal values anew with every answer.
  const shapeKey = JSON.stringify(shape);
  const text = formatPosition(position);
  const state = useMemo(() => ({ position: text, turn: position.turn }), [text, shapeKey]);
  const marks = useMemo(() => marksIn(faults), [faults.join()]);
  const sameShape = useMemo(() => shape, [shapeKey]);
  return <Board shape={sameShape} state={state} showOptions={AT_ONCE} marks={marks} editing={editing} />;
}

function marksIn(faults: readonly string[]): readonly Mark[] {
  const squares = faults.flatMap((text) => text.match(/\b[a-s](?:1\d|[1-9])\b/g) ?? []);
  return squares.map((square) => ({ square, kind: "highlight" }));
}

/** A board on which the user plays both sides by the edited rules. */
function TrialGame({ view }: { readonly view: RulesView }) {
  const [game, setGame] = useState<Game | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const tree = (view.facts as { tree?: object } | null)?.tree ?? {};
  useEffect(() => {
    void Rules.load(tree).then((rules) => setGame(rules.newGame()));
  }, []);
  const show = (next: Game) => {
    setRefusal(null);
    setGame(next);
  };
  const play = (move: string) => {
    if (game) show(game.play(move));
    return game !== null;
  };
  const state = useMemo(() => game && { ...game.state, legal: game.legal }, [game]);
  const result = game?.state.outcome ? outcomeText(game.state.outcome) : turnText(game);
  return (
    <>
      <Board shape={view.shape} state={state} game={game} move={play} refused={setRefusal} />
      <p class="trial-state" role="status">
        {refusal ?? result}
      </p>
      <div class="buttons">
        <button type="button" disabled={!game?.parent} onClick={() => game?.parent && show(game.parent)}>
          {t("web.editor.back")}
        </button>
        <button type="button" disabled={!game?.parent} onClick={() => game && show(game.rules.newGame())}>
          {t("web.editor.again")}
        </button>
      </div>
    </>
  );
}

function turnText(game: Game | null): string {
  const turn = game?.state.turn;
  return turn ? t(`web.editor.turn.${turn}`) : t("web.waiting");
}
