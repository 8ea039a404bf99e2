// The board of `hnefi.notebook.BoardWidget`: a module for anywidget. Python has the rules and answers every move.

import type { Move } from "../rules.ts";
import "./register.ts";
import type { Arrow, BoardState, Mark, Movable, Shape, Words } from "./types.ts";

/** The values that Python keeps equal on both sides. */
interface Values {
  readonly _shape: Shape;
  readonly _state: BoardState & { readonly ply: number; readonly result: string };
  readonly _words: Words;
  readonly marks: readonly Mark[];
  readonly arrows: readonly Arrow[];
  readonly movable: Movable;
  readonly flip: boolean;
  readonly lang: string;
  readonly board: string;
  readonly pieces: string;
  readonly width_px: number;
}

/** The answer to a move that was not played: the sentence that explains it. */
interface Refusal {
  readonly refused: string;
}

/** What is used of anywidget's model. */
interface Model {
  get<Name extends keyof Values>(name: Name): Values[Name];
  on(event: "msg:custom", listener: (answer: Refusal) => void): void;
  on(event: `change:${keyof Values}`, listener: () => void): void;
  off(event: string, listener: (answer: Refusal) => void): void;
  send(message: { readonly move: string; readonly ply: number }): void;
}

/** Draws a board into a cell of the notebook. Returns a function that disconnects it. */
function render({ model, el }: { readonly model: Model; readonly el: HTMLElement }): () => void {
  const board = document.createElement("tafl-board");
  const line = document.createElement("p");
  line.role = "status";
  line.style.cssText = "margin:4px 0;min-height:1.5em";
  const send = ({ detail: { from, to } }: CustomEvent<Move>): void =>
    model.send({ move: `${from}-${to}`, ply: model.get("_state").ply });
  board.addEventListener("tafl-move", send);
  // Python says why a move is refused.
  board.addEventListener("tafl-refused", send);
  // Notebooks have commands on letters and arrow keys, which belong to the board while it has the focus.
  el.addEventListener("keydown", (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey) event.stopPropagation();
  });

  const showState = (): void => {
    if (board.shape !== model.get("_shape")) board.shape = model.get("_shape");
    board.show(model.get("_state"));
    line.textContent = model.get("_state").result;
  };
  const listeners: Partial<Record<keyof Values, () => void>> = {
    _words: () => (board.words = model.get("_words")),
    _state: showState,
    marks: () => (board.marks = model.get("marks")),
    arrows: () => (board.arrows = model.get("arrows")),
    movable: () => (board.movable = model.get("movable")),
    lang: () => (el.lang = model.get("lang")),
    flip: () => board.toggleAttribute("flip", model.get("flip")),
    board: () => board.setAttribute("board", model.get("board")),
    pieces: () => board.setAttribute("pieces", model.get("pieces")),
    width_px: () => (el.style.maxWidth = `${model.get("width_px")}px`),
  };
  const refuse = ({ refused }: Refusal): void => {
    // The piece goes back.
    showState();
    line.textContent = refused;
  };
  const all = Object.entries(listeners) as [keyof Values, () => void][];
  for (const [name, listener] of all) {
    listener();
    model.on(`change:${name}`, listener);
  }
  model.on("msg:custom", refuse);
  el.append(board, line);
  return () => {
    for (const [name, listener] of all) model.off(`change:${name}`, listener);
    model.off("msg:custom", refuse);
  };
}

export default { render };
