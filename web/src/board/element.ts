// <tafl-board>: draws a position of any tafl game and lets one play on it. docs/reference/board.md describes it.

import type { Legal, Piece, Step } from "../rules.ts";
import { drawOver, drawUnder } from "./layers.ts";
import type { Drawing } from "./drawing.ts";
import type { Field } from "./field.ts";
import { Grid } from "./grid.ts";
import { ground, specialKind } from "./ground.ts";
import { Hand, type Table } from "./hand.ts";
import { Men } from "./men.ts";
import { light, travel } from "./motion.ts";
import type { Note } from "./note.ts";
import type { OwnGame } from "./own.ts";
import { definitions, PIECE_SETS, PIECE_STYLE, type PieceSet } from "./pieces.ts";
import { Pointer, type Surface } from "./pointer.ts";
import { announceMove, announceTaken, say } from "./speech.ts";
import { STYLE } from "./style.ts";
import type { Arrow, BoardEvents, BoardState, Mark, Movable, Shape, ShowOptions, Words } from "./types.ts";
import { piecesOf, type Point, UNIT, View } from "./view.ts";

const FLAGS = ["flip", "confirm", "premove", "edit", "input"] as const;
const OBSERVED = [...FLAGS, "pieces", "movable", "coordinates", "hints", "src", "position"] as const;
const SVG = "http://www.w3.org/2000/svg";

/** One style sheet for all boards of a page: allowed where inline styles are not. */
const SHEET = new CSSStyleSheet();
SHEET.replaceSync(STYLE + PIECE_STYLE);

export class TaflBoard extends HTMLElement implements Table, Surface {
  static readonly observedAttributes: readonly string[] = OBSERVED;

  readonly area = document.createElement("div");
  readonly hand = new Hand(this);
  readonly pointer = new Pointer(this);
  readonly #svg = document.createElementNS(SVG, "svg");
  readonly #layers = new Map<string, SVGGElement>();
  readonly #grid = new Grid(
    (square) => this.hand.tap(square),
    () => this.#leave(),
  );
  readonly #men: Men;
  readonly #said = document.createElement("div");
  #shape: Shape = { size: 7 };
  #state: BoardState | null = null;
  #pieces: ReadonlyMap<string, Piece> = new Map();
  #view = new View(7, false, true, 0);
  #words: Words = {};
  #hasWords = false;
  #marks: readonly Mark[] = [];
  #arrows: readonly Arrow[] = [];
  #own: OwnGame | null = null;
  #field: Field | null = null;
  #note: Note | null = null;
  #drawing: Drawing | null = null;
  /** Where the pointer or the focus was last: a note that comes later is for nobody. */
  #pointedAt: EventTarget | null = null;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open", delegatesFocus: true });
    root.adoptedStyleSheets = [SHEET];
    this.area.className = "board";
    this.area.setAttribute("part", "board");
    this.#svg.ariaHidden = "true";
    for (const name of ["defs", "ground", "under", "men", "over", "taken", "carried"]) {
      const layer = document.createElementNS(SVG, name === "defs" ? "defs" : "g") as SVGGElement;
      this.#layers.set(name, layer);
      this.#svg.append(layer);
    }
    this.#men = new Men(this.#layer("men"), this.#layer("taken"));
    this.#said.className = "said";
    this.#said.role = "status";
    this.area.append(this.#svg, this.#grid.element);
    root.append(this.area, this.#said);
    this.area.onpointerover = (event) => this.#hover(event);
    this.area.onpointerleave = () => this.#hideNote();
    this.#grid.element.addEventListener("focusin", (event) => void this.#explain(event.target, true));
    this.#grid.element.addEventListener("focusout", () => this.#hideNote());
    new ResizeObserver(() => this.#rebuild()).observe(this.area);
  }

  // --- What the host sets ---------------------------------------------------------------------------

  get shape(): Shape {
    return this.#shape;
  }

  set shape(shape: Shape) {
    this.#shape = shape;
    this.#rebuild();
  }

  get size(): number {
    return this.#shape.size;
  }

  get state(): BoardState | null {
    return this.#state;
  }

  set state(state: BoardState | null) {
    if (state) this.show(state, { animate: false, announce: false });
  }

  get words(): Words {
    return this.#words;
  }

  set words(words: Words) {
    this.#words = words;
    this.#hasWords = true;
    this.#name();
    this.redraw();
  }

  get marks(): readonly Mark[] {
    return this.#marks;
  }

  set marks(marks: readonly Mark[]) {
    this.#marks = marks;
    this.redraw();
  }

  get arrows(): readonly Arrow[] {
    return this.#arrows;
  }

  set arrows(arrows: readonly Arrow[]) {
    this.#arrows = arrows;
    this.redraw();
  }

  get drawn(): BoardEvents["tafl-draw"] {
    return this.#drawing?.drawn ?? { arrows: [], circles: [] };
  }

  get selected(): string | null {
    return this.hand.selected;
  }

  get pending(): Step | null {
    return this.hand.pending;
  }

  get planned(): Step | null {
    return this.hand.premove;
  }

  get movable(): Movable {
    return (this.getAttribute("movable") as Movable | null) ?? "both";
  }

  set movable(movable: Movable) {
    this.setAttribute("movable", movable);
  }

  get men(): ReadonlyMap<string, Piece> {
    return this.#pieces;
  }

  hasOption(name: (typeof FLAGS)[number]): boolean {
    return this.hasAttribute(name);
  }

  // --- What the host does ---------------------------------------------------------------------------

  /** Draws a state, and the way to it. */
  show(state: BoardState, { animate = true, announce = true }: ShowOptions = {}): void {
    const before = this.#state;
    const pieces = piecesOf(state.position);
    const isSame = before?.position === state.position;
    // A move that was made by hand is there already.
    const waiting = this.hand.sent ?? this.hand.pending;
    this.#state = state;
    this.#pieces = pieces;
    this.hand.settle();
    const moves = animate && before !== null && !isSame;
    const landed = this.#men.show(pieces, this.#view, moves ? { before, now: state, waiting } : null);
    this.redraw();
    if (moves) light(this.#layer("over"), landed + 250);
    const mover = state.last ? pieces.get(state.last.to) : undefined;
    if (announce && moves && state.last && mover && before.last?.to !== state.last.to) {
      this.announce(announceMove(this.#words, mover, state.last));
    }
  }

  /** Makes a typed move as if by hand; false if it is not legal. */
  play(text: string): boolean {
    const found = /([a-s]\d{1,2})\W*([a-s]\d{1,2})/i.exec(text.trim());
    if (!found?.[1] || !found[2]) return false;
    return this.hand.play({ from: found[1].toLowerCase(), to: found[2].toLowerCase() });
  }

  confirm(): void {
    this.hand.confirm();
  }

  cancel(): void {
    this.hand.cancel();
  }

  /** Draws a move as one that was made and is not answered yet; null takes it back. */
  expect(step: Step | null): void {
    this.hand.sent = step;
    this.redraw();
  }

  clear(): void {
    this.wipe();
  }

  announce(text: string): void {
    // A new node each time: the same words twice are said twice.
    const line = document.createElement("p");
    line.textContent = text;
    this.#said.replaceChildren(line);
  }

  focusSquare(square: string): void {
    this.#grid.focus(square);
  }

  back(): void {
    this.#own?.back();
  }

  restart(): void {
    this.#own?.restart();
  }

  // --- The life of the element ----------------------------------------------------------------------

  connectedCallback(): void {
    if (!this.#hasWords) void this.#loadWords();
    void this.#loadDrawing();
    this.#rebuild();
  }

  attributeChangedCallback(name: (typeof OBSERVED)[number], _before: string | null, value: string | null): void {
    if (name === "src" && value !== null) void this.#playAlone(value);
    else if (name === "input") this.#name();
    else if (name === "flip" || name === "coordinates" || name === "pieces") this.#rebuild();
    else this.redraw();
  }

  async #loadWords(): Promise<void> {
    const { default: all } = await import("hnefi-words.json");
    if (this.#hasWords) return;
    const lang = (this.closest("[lang]")?.getAttribute("lang") ?? navigator.language).slice(0, 2);
    const words = all[lang] ?? all["en"];
    if (words) this.words = words;
  }

  async #loadDrawing(): Promise<void> {
    const { Drawing } = await import("./drawing.ts");
    this.#drawing ??= new Drawing(this);
  }

  async #playAlone(source: string): Promise<void> {
    const { OwnGame } = await import("./own.ts");
    this.#own = await OwnGame.open(this, source, this.getAttribute("position"));
  }

  async #addField(): Promise<void> {
    const { Field } = await import("./field.ts");
    this.#field ??= new Field(this.shadowRoot as ShadowRoot, (text) => this.play(text));
    this.#field.show(this.hasAttribute("input"), say(this.#words, "typed"));
  }

  #name(): void {
    this.#grid.element.ariaLabel = say(this.#words, "name", { size: this.size });
    if (this.#field || this.hasAttribute("input")) void this.#addField();
  }

  #layer(name: string): SVGGElement {
    return this.#layers.get(name) as SVGGElement;
  }

  // --- Drawing --------------------------------------------------------------------------------------

  /** Everything anew: another board, another side, other pieces. */
  #rebuild(): void {
    const hasCoordinates = this.getAttribute("coordinates") !== "none";
    this.#view = new View(this.size, this.hasAttribute("flip"), hasCoordinates, this.area.clientWidth);
    const { frame, pixel, side } = this.#view;
    const width = side + 2 * frame;
    this.#svg.setAttribute("viewBox", `${-frame} ${-frame} ${width} ${width}`);
    const style = this.area.style;
    style.setProperty("--inset", `${(frame / width) * 100}%`);
    style.setProperty("--size", String(this.size));
    style.setProperty("--px", `${pixel}px`);
    style.setProperty("--edge", `${1.25 * pixel}px`);
    const set = PIECE_SETS.find((name) => name === this.getAttribute("pieces")) ?? "wood";
    this.#layer("defs").innerHTML = definitions(set satisfies PieceSet);
    this.#layer("ground").innerHTML = ground(this.#view, this.#shape);
    this.#grid.build(this.#view);
    this.#men.show(this.#pieces, this.#view, null);
    this.#name();
    this.redraw();
  }

  redraw(): void {
    if (!this.#state) {
      this.#grid.label(this.#words, this.#shape, this.#pieces, this.hand);
      return;
    }
    const picture = {
      view: this.#view,
      shape: this.#shape,
      state: this.#state,
      pieces: this.#pieces,
      hand: this.hand,
      marks: this.#marks,
      arrows: this.#arrows,
      drawn: this.#drawing?.shown ?? this.drawn,
      hasHints: this.getAttribute("hints") !== "none",
    };
    this.#layer("under").innerHTML = drawUnder(picture);
    this.#layer("over").innerHTML = drawOver(picture);
    this.#men.wait(this.hand.sent ?? this.hand.pending, this.#view);
    this.#grid.label(this.#words, this.#shape, this.#pieces, this.hand);
    this.area.classList.toggle("live", this.movable !== "none" || this.hasOption("edit"));
  }

  tell<Name extends keyof BoardEvents>(name: Name, detail: BoardEvents[Name]): boolean {
    this.#announceEvent(name, detail);
    return this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable: true }));
  }

  #announceEvent(name: keyof BoardEvents, detail: unknown): void {
    if (!this.#grid.element.matches(":focus-within")) return;
    const step = detail as Step;
    const piece = name === "tafl-select" && typeof detail === "string" ? this.#pieces.get(detail) : undefined;
    if (piece) this.announce(announceTaken(this.#words, piece, detail as string, this.hand.targets().length));
    else if (name === "tafl-refused") this.announce(say(this.#words, "refused", { ...step }));
    else if (name === "tafl-pending" && detail) this.announce(say(this.#words, "waits", { ...step }));
    else if (name === "tafl-premove" && detail) this.announce(say(this.#words, "planned", { ...step }));
  }

  #leave(): void {
    const { pending, premove, selected } = this.hand;
    this.hand.cancel();
    this.#hideNote();
    if (pending ?? premove ?? selected) this.announce(say(this.#words, "put_back"));
  }

  // --- The note on special squares ------------------------------------------------------------------

  #hover(event: PointerEvent): void {
    const isPointing = event.pointerType === "mouse" && event.buttons === 0 && !this.hand.selected;
    if (isPointing) void this.#explain(event.target, false);
  }

  async #explain(target: EventTarget | null, isFocus: boolean): Promise<void> {
    const cell = target as HTMLElement;
    const square = cell.dataset["square"];
    this.#hideNote();
    this.#pointedAt = target;
    if (square === undefined || !specialKind(this.#shape, square)) return;
    if (isFocus && !cell.matches(":focus-visible")) return;
    const { Note, explain } = await import("./note.ts");
    this.#note ??= new Note(this.area);
    const told = explain(this.#words, this.#shape, square, this.#state);
    if (told && this.#pointedAt === target) this.#note.show(cell, told, isFocus ? 0 : 400);
  }

  #hideNote(): void {
    this.#pointedAt = null;
    this.#note?.hide();
  }

  // --- What the pointer asks ------------------------------------------------------------------------

  pointAt(x: number, y: number): Point {
    const box = this.area.getBoundingClientRect();
    const scale = (this.#view.side + 2 * this.#view.frame) / (box.width || 1);
    return { x: (x - box.left) * scale - this.#view.frame, y: (y - box.top) * scale - this.#view.frame };
  }

  squareAt(point: Point): string | null {
    return this.#view.squareAt(point);
  }

  meant(point: Point): string | null {
    const hit = this.#view.squareAt(point);
    const targets = this.hand.targets().map((target) => target.to);
    if (hit !== null && (targets.includes(hit) || this.#pieces.has(hit))) return hit;
    const isNear = (square: string): boolean => {
      const { x, y } = this.#view.centre(square);
      return Math.hypot(x - point.x, y - point.y) < 0.72 * UNIT;
    };
    return targets.find(isNear) ?? hit;
  }

  carry(point: Point | null, over: string | null, { touch, slide }: { touch: boolean; slide: boolean }): void {
    this.area.classList.toggle("dragging", point !== null);
    this.#hideNote();
    const isTarget = over !== null && this.hand.targets().some((target) => target.to === over);
    const lift = touch ? 28 * this.#view.pixel : 0;
    const back = this.#men.carry(this.#layer("carried"), this.hand.selected, point, {
      view: this.#view,
      scale: touch ? 1.3 : 1.06,
      lift,
      over: isTarget ? over : null,
    });
    if (back && slide) travel(back.man, back.from, back.to, 160);
  }

  wipe(): boolean {
    return this.#drawing?.wipe() ?? false;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "tafl-board": TaflBoard;
  }
  interface HTMLElementEventMap {
    "tafl-move": CustomEvent<BoardEvents["tafl-move"]>;
    "tafl-premove": CustomEvent<BoardEvents["tafl-premove"]>;
    "tafl-pending": CustomEvent<BoardEvents["tafl-pending"]>;
    "tafl-select": CustomEvent<BoardEvents["tafl-select"]>;
    "tafl-draw": CustomEvent<BoardEvents["tafl-draw"]>;
    "tafl-square": CustomEvent<BoardEvents["tafl-square"]>;
    "tafl-edit": CustomEvent<BoardEvents["tafl-edit"]>;
    "tafl-refused": CustomEvent<BoardEvents["tafl-refused"]>;
    "tafl-game": CustomEvent<{ readonly state: BoardState }>;
  }
}

export type { Legal };
