// A small example of a rule, that moves while it is open: the position, then the move and what it does.

import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { asked, troubleOf } from "../analysis/records.tsx";
import type { TaflBoard } from "../board/element.ts";
import type { Arrow, BoardState, Mark } from "../board/types.ts";
import "../entries/board.ts";
import { readSettings } from "../game/hooks.ts";
import { dress } from "../game/wiring.ts";
import type { ExampleAnswer, ExampleRequest, ExampleView } from "../messages.ts";
import { LANGUAGE, t, textsOf } from "../texts.ts";
import type { Rulebook } from "./rulebook.ts";

const BEFORE_MS = 1_500;
const AFTER_MS = 3_500;
/** What moves by itself comes to rest. */
const MOST_ROUNDS = 4;
const WAIT_MS = 350;

/** Gives every rule a button that shows it; one example is open at a time. */
export function offerExamples(place: HTMLElement, book: Rulebook): void {
  for (const fieldset of place.querySelectorAll<HTMLFieldSetElement>("[data-examples]")) {
    const room = document.createElement("div");
    room.className = "example";
    fieldset.append(room);
    render(<Offer book={book} leaf={fieldset.dataset["rule"] ?? ""} title={titleOf(fieldset)} />, room);
  }
}

function titleOf(fieldset: HTMLFieldSetElement): string {
  return fieldset.querySelector("legend")?.firstChild?.textContent?.trim() ?? "";
}

/** Closes the example that is open when another one is opened. */
let closeOther: (() => void) | null = null;

interface OfferProps {
  readonly book: Rulebook;
  readonly leaf: string;
  readonly title: string;
}

function Offer({ book, leaf, title }: OfferProps) {
  const [isOpen, setOpen] = useState(false);
  const close = useRef(() => setOpen(false));
  const toggle = () => {
    if (closeOther !== close.current) closeOther?.();
    closeOther = isOpen ? null : close.current;
    setOpen(!isOpen);
  };
  return (
    <>
      <button
        type="button"
        class="show-me"
        aria-expanded={isOpen}
        aria-label={t("web.editor.example.of", { title })}
        onClick={toggle}
      >
        {t("web.editor.example")}
      </button>
      {isOpen && <Shown book={book} leaf={leaf} />}
    </>
  );
}

function Shown({ book, leaf }: { readonly book: Rulebook; readonly leaf: string }) {
  const { example, said } = useExample(book, leaf);
  if (!example) return <p role="status">{said}</p>;
  return (
    <div class="shown">
      <MovingBoard key={JSON.stringify(example)} example={example} />
      <p role="status">{example.text}</p>
    </div>
  );
}

interface Found {
  readonly example: ExampleView | null;
  readonly said: string;
}

/** The example of a rule as the rules are now; it is looked for again when they change. */
function useExample(book: Rulebook, leaf: string): Found {
  const [found, setFound] = useState<Found>({ example: null, said: t("web.waiting") });
  const [query, setQuery] = useState(book.sound?.query);
  useEffect(() => book.subscribe(() => setQuery(book.sound?.query)), []);
  useEffect(() => {
    const asking = new AbortController();
    const ask = async () => {
      const { sound, draft } = book;
      const request: ExampleRequest = { variant: draft.variant, switches: { ...sound?.switches }, leaf, lang: LANGUAGE };
      try {
        const answer = await asked("/api/rules/example", request, asking.signal);
        const { example } = (await answer.json()) as ExampleAnswer;
        if (!asking.signal.aborted) setFound({ example, said: t("web.editor.example.none") });
      } catch (error) {
        if (!asking.signal.aborted) setFound({ example: null, said: troubleOf(error) });
      }
    };
    const timer = setTimeout(() => void ask(), WAIT_MS);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [query]);
  return found;
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
