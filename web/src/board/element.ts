// <tafl-board>: draws a position of any tafl game and takes moves. docs/reference/board.md describes it.

import { piecesOf } from "../positions.ts";
import type { Move, Piece } from "../rules.ts";
import { lightRoads, travel } from "./animation.ts";
import { drawBackground, specialKind } from "./background.ts";
import type { Drawing } from "./drawing.ts";
import { Grid } from "./grid.ts";
import { drawOver, drawUnder } from "./layers.ts";
import type { MoveField } from "./move_field.ts";
import { MoveInput, type MoveInputHost, TYPED } from "./move_input.ts";
import { PieceLayer } from "./piece_layer.ts";
import { definitions, PIECE_SETS, PIECE_STYLE } from "./pieces.ts";
import { Pointer, type PointerHost } from "./pointer.ts";
import { boardText, EVENT_WORDS, moveText, selectionText } from "./speech.ts";
import type { SquareTooltip } from "./square_tooltip.ts";
import type { StandaloneGame } from "./standalone_game.ts";
import { STYLE } from "./style.ts";
import type { Arrow, BoardEvents, BoardState, Mark, Movable, Shape, ShowOptions, Words } from "./types.ts";
import { type Point, UNIT, View } from "./view.ts";

const SVG = "http://www.w3.org/2000/svg";
const NO_WORDS: Words = {};

/** The style sheet of all boards of a page. A content security policy that forbids inline styles allows it. */
const SHEET = new CSSStyleSheet();
SHEET.replaceSync(STYLE + PIECE_STYLE);

export class TaflBoard extends HTMLElement implements MoveInputHost, PointerHost {
  static readonly observedAttributes =
    "flip confirm premove edit input pieces movable coordinates hints src position".split(" ");

  readonly area = document.createElement("div");
  readonly input = new MoveInput(this);
  readonly pointer = new Pointer(this);
  readonly #svg = document.createElementNS(SVG, "svg");
  readonly #layers = new Map<string, SVGGElement>();
  readonly #grid = new Grid(
    (square) => (this.input.isPutBack(square) ? this.#cancelByKey() : this.input.tap(square)),
    () => this.#cancelByKey(),
  );
  readonly #pieceLayer: PieceLayer;
  readonly #announcer = document.createElement("div");
  #shape: Shape = { size: 7 };
  #state: BoardState | null = null;
  #pieces: ReadonlyMap<string, Piece> = new Map();
  #view = new View(7, false, true, 0);
  #words = NO_WORDS;
  #marks: readonly Mark[] = [];
  #arrows: readonly Arrow[] = [];
  #game: StandaloneGame | null = null;
  #field: MoveField | null = null;
  #tooltip: SquareTooltip | null = null;
  #drawing: Drawing | null = null;
  /** Where the pointer or the focus was last: a tooltip that is loaded too late is not shown. */
  #pointedAt: EventTarget | null = null;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open", delegatesFocus: true });
    root.adoptedStyleSheets = [SHEET];
    this.area.className = "board";
    this.area.setAttribute("part", "board");
    this.#svg.ariaHidden = "true";
    for (const name of ["defs", "background", "under", "pieces", "over", "captured", "dragged"]) {
      this.#layers.set(name, document.createElementNS(SVG, name === "defs" ? "defs" : "g") as SVGGElement);
    }
    this.#svg.append(...this.#layers.values());
    this.#pieceLayer = new PieceLayer(this.#layer("pieces"), this.#layer("captured"));
    this.#announcer.className = "announcer";
    this.#announcer.role = "status";
    this.area.append(this.#svg, this.#grid.element);
    root.append(this.area, this.#announcer);
    this.area.onpointerover = ({ pointerType, buttons, target }) => {
      if (pointerType === "mouse" && buttons === 0 && !this.input.selected) void this.#explain(target, false);
    };
    this.area.onpointerleave = () => this.#hideTooltip();
    this.#grid.element.addEventListener("focusin", (event) => void this.#explain(event.target, true));
    this.#grid.element.addEventListener("focusout", () => this.#hideTooltip());
    new ResizeObserver(() => this.#rebuild()).observe(this.area);
  }

  // --- Properties -----------------------------------------------------------------------------------

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
    this.#updateName();
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
    return this.input.selected;
  }

  get pending(): Move | null {
    return this.input.pending;
  }

  get planned(): Move | null {
    return this.input.premove;
  }

  get movable(): Movable {
    return (this.getAttribute("movable") as Movable | null) ?? "both";
  }

  set movable(movable: Movable) {
    this.setAttribute("movable", movable);
  }

  get pieces(): ReadonlyMap<string, Piece> {
    return this.#pieces;
  }

  // --- Methods --------------------------------------------------------------------------------------

  /** Draws a state, with the move that leads to it. */
  show(state: BoardState, { animate = true, announce = true }: ShowOptions = {}): void {
    const before = this.#state;
    const pieces = piecesOf(state.position);
    const isSame = before?.position === state.position;
    // The piece that the user moved stands on its target already.
    const waiting = this.input.sent ?? this.input.pending;
    this.#state = state;
    this.#pieces = pieces;
    this.#hideTooltip();
    this.input.settle(isSame);
    const moves = animate && before !== null && !isSame;
    const landed = this.#pieceLayer.show(pieces, this.#view, moves ? { before, now: state, waiting } : null);
    this.redraw();
    if (moves) lightRoads(this.#layer("over"), landed + 250);
    const mover = state.last ? pieces.get(state.last.to) : undefined;
    if (announce && moves && state.last && mover && before.last?.to !== state.last.to) {
      this.announce(moveText(this.#words, mover, state.last));
    }
  }

  /** Makes a typed move. Returns false if it is not legal. */
  play(text: string): boolean {
    const [, from, to] = TYPED.exec(text) ?? [];
    return from && to ? this.input.play({ from: from.toLowerCase(), to: to.toLowerCase() }) : false;
  }

  confirm(): void {
    this.input.confirm();
  }

  cancel(): void {
    this.input.cancel();
  }

  /** Draws a move that was made and is not answered yet. Null puts the piece back. */
  showPending(move: Move | null): void {
    this.input.sent = move;
    this.redraw();
  }

  clear(): boolean {
    return this.#drawing?.clear() ?? false;
  }

  announce(text: string): void {
    const line = document.createElement("p");
    line.textContent = text;
    // A new node each time: screen readers read the same text again.
    this.#announcer.replaceChildren(line);
  }

  focusSquare(square: string): void {
    this.#grid.focus(square);
  }

  back(): void {
    this.#game?.back();
  }

  restart(): void {
    this.#game?.restart();
  }

  // --- Life cycle -----------------------------------------------------------------------------------

  connectedCallback(): void {
    if (this.#words === NO_WORDS) void this.loadWords();
    void import("./drawing.ts").then(({ Drawing }) => (this.#drawing ??= new Drawing(this)));
    this.#rebuild();
  }

  attributeChangedCallback(name: string, _before: string | null, value: string | null): void {
    if (name === "src" && value !== null) void this.#openGame(value);
    else if (name === "input") this.#updateName();
    else if (name === "flip" || name === "coordinates" || name === "pieces") this.#rebuild();
    else this.redraw();
  }

  /** Loads the words of the board's language; those that a page has set stay. */
  async loadWords(): Promise<void> {
    const { default: all } = await import("hnefi-words.json");
    if (this.#words !== NO_WORDS) return;
    const lang = (this.closest<HTMLElement>("[lang]")?.lang ?? navigator.language).slice(0, 2);
    this.words = all[lang] ?? all["en"] ?? {};
  }

  async #openGame(source: string): Promise<void> {
    const { StandaloneGame } = await import("./standalone_game.ts");
    this.#game = await StandaloneGame.open(this, source, this.getAttribute("position"));
  }

  async #showField(): Promise<void> {
    const { MoveField } = await import("./move_field.ts");
    this.#field ??= new MoveField(this.shadowRoot as ShadowRoot, (text) => this.play(text));
    this.#field.show(this.hasAttribute("input"), this.#words);
  }

  #updateName(): void {
    this.#grid.element.ariaLabel = boardText(this.#words, "name", { size: this.size });
    if (this.#field || this.hasAttribute("input")) void this.#showField();
  }

  #layer(name: string): SVGGElement {
    return this.#layers.get(name) as SVGGElement;
  }

  // --- Drawing --------------------------------------------------------------------------------------

  /** Draws everything again: another shape, side or set of pieces. */
  #rebuild(): void {
    const hasCoordinates = this.getAttribute("coordinates") !== "none";
    this.#view = new View(this.size, this.hasAttribute("flip"), hasCoordinates, this.area.clientWidth);
    const { frame, pixel, side } = this.#view;
    const width = side + 2 * frame;
    this.#svg.setAttribute("viewBox", `${-frame} ${-frame} ${width} ${width}`);
    const { style } = this.area;
    style.setProperty("--inset", `${(frame / width) * 100}%`);
    style.setProperty("--size", String(this.size));
    style.setProperty("--px", `${pixel}px`);
    style.setProperty("--edge", `${1.25 * pixel}px`);
    this.#layer("defs").innerHTML = definitions(PIECE_SETS.find((name) => name === this.getAttribute("pieces")) ?? "wood");
    this.#layer("background").innerHTML = drawBackground(this.#view, this.#shape);
    this.#grid.build(this.#view);
    this.#pieceLayer.show(this.#pieces, this.#view, null);
    this.#updateName();
    this.redraw();
  }

  redraw(): void {
    this.#grid.label(this.#words, this.#shape, this.#pieces, this.input);
    if (!this.#state) return;
    const picture = {
      view: this.#view,
      shape: this.#shape,
      state: this.#state,
      pieces: this.#pieces,
      input: this.input,
      marks: this.#marks,
      arrows: this.#arrows,
      drawn: this.#drawing?.shown ?? this.drawn,
      hasHints: this.getAttribute("hints") !== "none",
    };
    this.#layer("under").innerHTML = drawUnder(picture);
    this.#layer("over").innerHTML = drawOver(picture);
    this.#pieceLayer.wait(this.input.sent ?? this.input.pending, this.#view);
    this.area.classList.toggle("live", this.movable !== "none" || this.hasAttribute("edit"));
  }

  emit<Name extends keyof BoardEvents>(name: Name, detail: BoardEvents[Name]): boolean {
    this.#announceEvent(name, detail);
    return this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable: true }));
  }

  #announceEvent(name: keyof BoardEvents, detail: unknown): void {
    if (!this.#grid.element.matches(":focus-within")) return;
    const piece = name === "tafl-select" ? this.#pieces.get(detail as string) : undefined;
    if (piece) this.announce(selectionText(this.#words, piece, detail as string, this.input.targets().length));
    const key = EVENT_WORDS[name];
    if (key && detail) this.announce(boardText(this.#words, key, { ...(detail as Move) }));
  }

  #cancelByKey(): void {
    const { pending, premove, selected } = this.input;
    this.input.cancel();
    this.#hideTooltip();
    if (pending ?? premove ?? selected) this.announce(boardText(this.#words, "put_back"));
  }

  // --- The tooltip of special squares ------------------------------------------------------------------

  async #explain(target: EventTarget | null, isFocus: boolean): Promise<void> {
    const cell = target as HTMLElement;
    const square = cell.dataset["square"];
    this.#hideTooltip();
    this.#pointedAt = target;
    if (square === undefined || !specialKind(this.#shape, square)) return;
    if (isFocus && !cell.matches(":focus-visible")) return;
    const { SquareTooltip, explain } = await import("./square_tooltip.ts");
    this.#tooltip ??= new SquareTooltip(this.area);
    const explanation = explain(this.#words, this.#shape, square, this.#state);
    if (explanation && this.#pointedAt === target) this.#tooltip.show(cell, explanation, isFocus ? 0 : 400);
  }

  #hideTooltip(): void {
    this.#pointedAt = null;
    this.#tooltip?.hide();
  }

  // --- For the pointer ------------------------------------------------------------------------------

  pointAt({ clientX, clientY }: PointerEvent): Point {
    const { left, top, width } = this.area.getBoundingClientRect();
    const { frame, side } = this.#view;
    const scale = (side + 2 * frame) / (width || 1);
    return { x: (clientX - left) * scale - frame, y: (clientY - top) * scale - frame };
  }

  squareAt(event: PointerEvent): string | null {
    return this.#view.squareAt(this.pointAt(event));
  }

  targetAt(point: Point): string | null {
    const hit = this.#view.squareAt(point);
    const targets = this.input.targets().map((target) => target.to);
    if (hit !== null && (targets.includes(hit) || this.#pieces.has(hit))) return hit;
    const near = targets.find((square) => {
      const { x, y } = this.#view.centre(square);
      return Math.hypot(x - point.x, y - point.y) < 0.72 * UNIT;
    });
    return near ?? hit;
  }

  drag(point: Point | null, over: string | null, { touch, slide }: { touch: boolean; slide: boolean }): void {
    this.area.classList.toggle("dragging", point !== null);
    this.#hideTooltip();
    const back = this.#pieceLayer.drag(this.#layer("dragged"), this.input.selected, point, {
      view: this.#view,
      scale: touch ? 1.3 : 1.06,
      lift: touch ? 28 * this.#view.pixel : 0,
      over: this.input.targets().find(({ to }) => to === over)?.to ?? null,
    });
    if (back && slide) travel(back.piece, back.from, back.to, 160);
  }
}

type DispatchedEvents = { [Name in keyof BoardEvents]: CustomEvent<BoardEvents[Name]> };

declare global {
  interface HTMLElementTagNameMap {
    "tafl-board": TaflBoard;
  }
  interface HTMLElementEventMap extends DispatchedEvents {
    "tafl-game": CustomEvent<{ readonly state: BoardState }>;
  }
}
