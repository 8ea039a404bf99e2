// A small example of a rule, that moves while it is open: the position, then the move and what it does.

import { useEffect, useRef, useState } from "preact/hooks";
import type { TaflBoard } from "../board/element.ts";
import type { Arrow, BoardState, Mark } from "../board/types.ts";
import "../entries/board.ts";
import { readSettings } from "../game/hooks.ts";
import { dress } from "../game/wiring.ts";
import type { ExampleAnswer, ExampleView } from "../messages.ts";
import { t, textsOf } from "../texts.ts";
import type { Rulebook } from "./rulebook.ts";
import { useTold } from "./told.ts";

const BEFORE_MS = 1_500;
const AFTER_MS = 3_500;
/** What moves by itself comes to rest. */
const MOST_ROUNDS = 4;

interface ShownProps {
  readonly book: Rulebook;
  readonly leaf: string;
}

/** An example of a rule as the rules are now. */
export function ShownExample({ book, leaf }: ShownProps) {
  const { told, trouble } = useTold<ExampleAnswer>(book, leaf, "/api/rules/example");
  if (!told?.example) return <p role="status">{trouble ?? t(told ? "web.editor.example.none" : "web.waiting")}</p>;
  const { example } = told;
  return (
    <div class="shown">
      <MovingBoard key={JSON.stringify(example)} example={example} />
      <p role="status">{example.text}</p>
    </div>
  );
}

function MovingBoard({ example }: { readonly example: ExampleView }) {
  const element = useRef<TaflBoard>(null);
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches || !example.legal;
  const [isMoving, setMoving] = useState(!isStill);
  useEffect(() => {
    const board = element.current;
    if (!board) return;
    board.words = { ...textsOf("board."), "board.name": t("web.editor.example.board", { text: example.text }) };
    dress(board, { ...readSettings(), coordinates: true });
    board.movable = "none";
    board.shape = example.shape;
    lay(board, example);
  }, []);
  useEffect(() => {
    const board = element.current;
    if (!board || !isMoving) return;
    return repeat(board, example, () => setMoving(false));
  }, [isMoving]);
  return (
    <div class="moving">
      <tafl-board ref={element} />
      {!isStill && (
        <button type="button" class="again" onClick={() => setMoving(!isMoving)}>
          {t(isMoving ? "web.editor.example.stop" : "web.editor.example.go")}
        </button>
      )}
    </div>
  );
}

/** Shows the position with the move as an arrow; one that may not be played ends before a bar. */
function lay(board: TaflBoard, { position, origin, target, legal }: ExampleView): void {
  board.show(stateOf(position), { animate: false, announce: false });
  const arrow: Arrow = { from: origin, to: target, kind: legal ? "move" : "second" };
  const block: Mark = { square: target, kind: "block" };
  board.arrows = [arrow];
  board.marks = legal ? [] : [block];
}

function stateOf(position: string): BoardState {
  return { position, turn: null };
}

/** Plays the move again and again for a while; gives what ends it. */
function repeat(board: TaflBoard, example: ExampleView, done: () => void): () => void {
  let timer = 0;
  let rounds = 0;
  const before = () => {
    lay(board, example);
    timer = window.setTimeout(after, BEFORE_MS);
  };
  const after = () => {
    const captures = example.captures.map((square) => ({ square }));
    const last = { from: example.origin, to: example.target, captures };
    board.arrows = [];
    board.show({ ...stateOf(example.after ?? example.position), last }, { announce: false });
    rounds += 1;
    if (rounds < MOST_ROUNDS) timer = window.setTimeout(before, AFTER_MS);
    else timer = window.setTimeout(done, AFTER_MS);
  };
  before();
  return () => clearTimeout(timer);
}
