// The board of the rules that are made: set up by hand, or played on to try the rules.

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Editing, listenToEdits, type Tool } from "../analysis/board.tsx";
import type { Position } from "../analysis/position.ts";
import { textOf } from "../analysis/position.ts";
import type { TaflBoard } from "../board/element.ts";
import type { Mark } from "../board/types.ts";
import "../entries/board.ts";
import { outcomeText } from "../game/callout.tsx";
import { readSettings } from "../game/hooks.ts";
import { PieceDrawing } from "../game/icons.tsx";
import { dress, listen } from "../game/wiring.ts";
import type { RulesView, ShapeView } from "../messages.ts";
import { type Game, type Piece, Rules } from "../rules.ts";
import { t, textsOf } from "../texts.ts";
import { campsText, imagesOf, layoutOf, mirrored, rowsOf, toggled } from "./layout.ts";
import type { Rulebook } from "./rulebook.ts";

const SOLDIERS: readonly Piece[] = ["attacker", "defender", "king"];
const RANKS: readonly Piece[] = [
  "attacker_commander",
  "attacker_knight",
  "attacker_renegade",
  "defender_commander",
  "defender_knight",
  "defender_renegade",
];

export interface KnownLayout {
  readonly rows: string;
  readonly name: string;
}

interface Props {
  readonly book: Rulebook;
  readonly view: RulesView;
  readonly layouts: Readonly<Record<string, readonly KnownLayout[]>>;
  /** What is said below the board. */
  readonly children: ComponentChildren;
}

export function BoardPanel({ book, view, layouts, children }: Props) {
  const [isTrying, setTrying] = useState(false);
  const trying = isTrying && view.ok;
  return (
    <>
      <fieldset class="choice modes">
        <legend class="unseen">{t("web.editor.board")}</legend>
        {[false, true].map((mode) => (
          <label key={String(mode)}>
            <input
              type="radio"
              checked={trying === mode}
              disabled={mode && !view.ok}
              onChange={() => setTrying(mode)}
            />
            {t(mode ? "web.editor.try" : "web.editor.set_up")}
          </label>
        ))}
      </fieldset>
      {trying ? <Trying key={view.query} view={view} /> : (
        <SettingUp book={book} view={view} layouts={layouts}>
          {children}
        </SettingUp>
      )}
    </>
  );
}

type Hand = Tool | "camp";

function SettingUp({ book, view, layouts, children }: Props) {
  const [tool, setTool] = useState<Hand>("hand");
  const [isMirrored, setMirrored] = useState(true);
  const { shape } = view;
  const position = { ...layoutOf(view.start, shape.size), turn: turnOf(view) };
  const edit = (next: Position) => book.change({ start: rowsOf(isMirrored ? mirrored(position, next) : next) });
  const campAt = (square: string) => {
    const squares = isMirrored ? [square, ...imagesOf(square, shape.size)] : [square];
    book.change({ camps: campsText(toggled(shape.camps, [...new Set(squares)])) });
  };
  const known = layouts[shape.size] ?? [];
  const rows = rowsOf(position);
  return (
    <>
      <EditBoard
        shape={shape}
        faults={view.faults.map((fault) => fault.message)}
        editing={position}
        tool={tool === "camp" ? "hand" : tool}
        tap={tool === "camp" ? campAt : undefined}
        edit={edit}
      />
      {children}
      <div class="board-tools">
        <fieldset class="choice tools">
          <legend>{t("web.analysis.tool")}</legend>
          {(["hand", ...SOLDIERS, "nothing", "camp"] as const).map((name) => (
            <ToolChoice key={name} name={name} chosen={tool} choose={setTool} />
          ))}
        </fieldset>
        <details open={RANKS.some((piece) => [...position.pieces.values()].includes(piece))}>
          <summary>{t("web.editor.ranks")}</summary>
          <fieldset class="choice tools">
            <legend class="unseen">{t("web.editor.ranks")}</legend>
            {RANKS.map((name) => (
              <ToolChoice key={name} name={name} chosen={tool} choose={setTool} />
            ))}
          </fieldset>
        </details>
        <label class="tick">
          <input type="checkbox" checked={isMirrored} onChange={(event) => setMirrored(event.currentTarget.checked)} />
          <span>{t("web.editor.mirrored")}</span>
        </label>
        <label class="text">
          {t("web.editor.layout")}
          <select value={rows} onChange={(event) => book.change({ start: event.currentTarget.value })}>
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

interface ToolProps {
  readonly name: Hand;
  readonly chosen: Hand;
  readonly choose: (tool: Hand) => void;
}

function ToolChoice({ name, chosen, choose }: ToolProps) {
  const isPiece = name !== "hand" && name !== "nothing" && name !== "camp";
  const text = isPiece ? nameOf(name) : t(name === "camp" ? "web.editor.tool.camp" : `web.analysis.tool.${name}`);
  return (
    <label>
      <input type="radio" name="tool" checked={chosen === name} onChange={() => choose(name)} />
      {isPiece && <PieceDrawing piece={name} />}
      <span class={isPiece ? "unseen" : ""}>{text}</span>
    </label>
  );
}

/** The name of a piece; of those with a rank, which both sides have, with their side. */
function nameOf(piece: Piece): string {
  if (!piece.includes("_")) return t(`piece.${piece}`);
  return t("web.editor.ranked", { piece: t(`piece.${piece}`), side: t(`side.${piece.split("_")[0]}s`) });
}

interface EditProps extends Editing {
  readonly editing: Position;
  readonly shape: ShapeView;
  /** What is wrong, in words, in which squares are named. */
  readonly faults: readonly string[];
}

function EditBoard(props: EditProps) {
  const { shape, editing, faults } = props;
  const element = useRef<TaflBoard>(null);
  const latest = useRef<Editing>(props);
  latest.current = props;
  useLayoutEffect(() => {
    const board = element.current;
    if (!board) return;
    prepare(board);
    board.toggleAttribute("edit", true);
    return listenToEdits(board, latest);
  }, []);
  useLayoutEffect(() => {
    if (element.current) element.current.shape = shape;
  }, [JSON.stringify(shape)]);
  useLayoutEffect(() => {
    const state = { position: textOf(editing), turn: editing.turn };
    element.current?.show(state, { animate: false, announce: false });
  }, [textOf(editing), JSON.stringify(shape)]);
  useLayoutEffect(() => {
    if (element.current) element.current.marks = marksIn(faults);
  }, [faults.join()]);
  return <tafl-board ref={element} />;
}

function prepare(board: TaflBoard): void {
  board.words = textsOf("board.");
  dress(board, readSettings());
}

function marksIn(faults: readonly string[]): readonly Mark[] {
  const squares = faults.flatMap((text) => text.match(/\b[a-s](?:1\d|[1-9])\b/g) ?? []);
  return squares.map((square) => ({ square, kind: "highlight" }));
}

/** A board on which both sides are moved, by the rules as they are now. */
function Trying({ view }: { readonly view: RulesView }) {
  const [game, setGame] = useState<Game | null>(null);
  const [why, setWhy] = useState<string | null>(null);
  const tree = (view.facts as { tree?: object } | null)?.tree ?? {};
  useEffect(() => {
    void Rules.load(tree).then((rules) => setGame(rules.newGame()));
  }, []);
  const take = (next: Game) => {
    setWhy(null);
    setGame(next);
  };
  const said = why ?? (game?.state.outcome ? outcomeText(game.state.outcome) : saidOf(game));
  return (
    <>
      <PlayBoard shape={view.shape} game={game} take={take} refused={setWhy} />
      <p class="said-now" role="status">
        {said}
      </p>
      <div class="buttons">
        <button type="button" disabled={!game?.parent} onClick={() => game?.parent && take(game.parent)}>
          {t("web.editor.back")}
        </button>
        <button type="button" disabled={!game?.parent} onClick={() => game && take(game.rules.newGame())}>
          {t("web.editor.again")}
        </button>
      </div>
    </>
  );
}

function saidOf(game: Game | null): string {
  const turn = game?.state.turn;
  return turn ? t(`web.editor.turn.${turn}`) : t("web.waiting");
}

interface PlayProps {
  readonly shape: ShapeView;
  readonly game: Game | null;
  readonly take: (game: Game) => void;
  readonly refused: (why: string) => void;
}

function PlayBoard(props: PlayProps) {
  const element = useRef<TaflBoard>(null);
  const latest = useRef(props);
  latest.current = props;
  const { shape, game } = props;
  useLayoutEffect(() => {
    const board = element.current;
    if (!board) return;
    prepare(board);
    board.shape = shape;
    const move = (text: string) => {
      const before = latest.current.game;
      if (before) latest.current.take(before.play(text));
      return before !== null;
    };
    return listen(board, () => latest.current.game, { move, refused: (why) => latest.current.refused(why) });
  }, []);
  useLayoutEffect(() => {
    if (game) element.current?.show({ ...game.state, legal: game.legal });
  }, [game]);
  return <tafl-board ref={element} />;
}
