// The tree of moves: the main line, and each variation indented below the move it replaces.

import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { FlipButton, StepButtons } from "../../ui/step_buttons.tsx";
import type { Game } from "../../rules.ts";
import { t } from "../../texts.ts";
import { writtenMove } from "../../ui/written_move.ts";
import { change, endOf, GLYPH_NAMES, GLYPHS, isMain, type MoveTree, type Ply, plyOf, promote, START } from "./move_tree.ts";

interface TreeProps {
  readonly tree: MoveTree;
  readonly at: number;
  readonly go: (id: number) => void;
  readonly gameAfter: (id: number) => Game;
}

/** The rendered moves by ply: unchanged ones are not rendered again, however long the game is. */
type Cache = Map<number, { readonly ply: Ply; readonly number: number; readonly isCurrent: boolean; readonly move: VNode }>;

export function MoveTreeView(props: TreeProps) {
  const { tree, at } = props;
  const cache = useRef<Cache>(new Map());
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = list.current;
    const current = box?.querySelector<HTMLElement>("[aria-current]");
    if (!box || !current) return;
    const top = current.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;
    box.scrollTo({ top: top - box.clientHeight / 2 });
    if (box.contains(document.activeElement)) current.focus({ preventScroll: true });
  }, [at, tree]);
  const start = plyOf(tree, START);
  const [first] = start.children;
  return (
    <div class="move-tree bare" ref={list} role="group" aria-label={t("web.moves")}>
      <button
        type="button"
        class="move-tree-start"
        aria-current={at === START ? "step" : undefined}
        tabIndex={at === START ? 0 : -1}
        onClick={() => props.go(START)}
      >
        {t("web.analysis.start")}
      </button>
      <Comments texts={start.comments} />
      {first === undefined ? <p class="none">{t("web.analysis.no_moves")}</p> : <Line {...props} first={first} number={1} cache={cache.current} />}
    </div>
  );
}

interface LineProps extends TreeProps {
  readonly first: number;
  /** The number of the first move. */
  readonly number: number;
  readonly cache: Cache;
}

function Line(props: LineProps) {
  const { tree, first, at, cache } = props;
  const items: ComponentChildren[] = [];
  let { number } = props;
  for (let id: number | undefined = first; id !== undefined; number++) {
    const ply: Ply = plyOf(tree, id);
    const [main, ...others] = plyOf(tree, ply.parent).children;
    const isCurrent = id === at;
    const cached = cache.get(id);
    if (cached?.ply === ply && cached.number === number && cached.isCurrent === isCurrent) items.push(cached.move);
    else {
      const move = <Move key={id} go={props.go} gameAfter={props.gameAfter} ply={ply} number={number} isCurrent={isCurrent} />;
      cache.set(id, { ply, number, isCurrent, move });
      items.push(move);
    }
    if (main === id && others.length > 0) {
      const here = number;
      items.push(
        <li key={`variations-${id}`} class="variations">
          {others.map((other) => (
            <Line key={other} {...props} first={other} number={here} />
          ))}
        </li>,
      );
    }
    id = ply.children[0];
  }
  return <ol class="line">{items}</ol>;
}

interface MoveProps extends Pick<TreeProps, "go" | "gameAfter"> {
  readonly ply: Ply;
  readonly number: number;
  readonly isCurrent: boolean;
}

function Move({ ply, number, isCurrent, go, gameAfter }: MoveProps) {
  const played = gameAfter(ply.id).state.last;
  return (
    <li>
      <Comments texts={ply.before} />
      <button
        type="button"
        aria-current={isCurrent ? "step" : undefined}
        tabIndex={isCurrent ? 0 : -1}
        onClick={() => go(ply.id)}
      >
        <span class="number">{number}. </span>
        {played?.piece === "king" && `${t("web.king.letter")} `}
        {writtenMove(ply.move)}
        {played && played.captures.length > 0 && (
          <span class="taken"> ×{played.captures.map((one) => one.square).join(" ")}</span>
        )}
        {ply.glyph && (
          <span class="glyph">
            <span aria-hidden="true">{ply.glyph}</span>
            <span class="unseen"> {t(`web.glyph.${GLYPH_NAMES[ply.glyph]}`)}</span>
          </span>
        )}
      </button>
      <Comments texts={ply.comments} />
    </li>
  );
}

function Comments({ texts }: { readonly texts: readonly string[] }) {
  return texts.map((text, place) => (
    <p key={place} class="move-comment">
      {text}
    </p>
  ));
}

type ButtonsProps = Pick<TreeProps, "tree" | "at" | "go"> & { readonly isFlipped: boolean; readonly flip: () => void };

export function MoveTreeButtons({ tree, at, go, isFlipped, flip }: ButtonsProps) {
  const ply = plyOf(tree, at);
  const targets = { first: START, back: ply.parent, forward: ply.children[0] ?? at, last: endOf(tree, at) };
  return (
    <StepButtons at={at} targets={targets} go={go}>
      <FlipButton isFlipped={isFlipped} flip={flip} />
    </StepButtons>
  );
}

interface AnnotationsProps {
  readonly tree: MoveTree;
  readonly at: number;
  /** Replaces the tree, and goes to a ply. */
  readonly set: (tree: MoveTree, at: number) => void;
  /** Removes the ply and everything after it. */
  readonly remove: () => void;
}

/** The annotations of a move: glyph and comment; and buttons to promote or remove its line. */
export function Annotations({ tree, at, set, remove }: AnnotationsProps) {
  const ply = plyOf(tree, at);
  const isStart = at === START;
  const label = t(isStart ? "web.analysis.comment.start" : "web.analysis.comment");
  return (
    <div class="annotations">
      {!isStart && (
        <div class="glyphs" role="group" aria-label={t("web.analysis.glyphs")}>
          {GLYPHS.map((glyph) => (
            <button
              key={glyph}
              type="button"
              aria-label={t(`web.glyph.${GLYPH_NAMES[glyph]}`)}
              title={t(`web.glyph.${GLYPH_NAMES[glyph]}`)}
              aria-pressed={ply.glyph === glyph}
              onClick={() => set(change(tree, at, { glyph: ply.glyph === glyph ? "" : glyph }), at)}
            >
              {glyph}
            </button>
          ))}
        </div>
      )}
      <label class="comment">
        <span class="unseen">{label}</span>
        <textarea
          rows={1}
          placeholder={label}
          maxLength={4000}
          value={ply.comments.join("\n")}
          onInput={(event) => {
            const text = event.currentTarget.value;
            set(change(tree, at, { comments: text.trim() === "" ? [] : [text] }), at);
          }}
        />
      </label>
      {!isStart && (
        <div class="buttons">
          <button type="button" disabled={isMain(tree, at)} onClick={() => set(promote(tree, at), at)}>
            {t("web.analysis.promote")}
          </button>
          <button type="button" onClick={remove}>
            {t("web.analysis.remove")}
          </button>
        </div>
      )}
    </div>
  );
}
