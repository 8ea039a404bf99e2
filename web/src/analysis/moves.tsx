// The tree of moves in the column: the main line, and side lines set in below the move they are tried instead of.

import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { FlipButton, Steps } from "../game/steps.tsx";
import type { Game } from "../rules.ts";
import { t } from "../texts.ts";
import { endOf, GLYPH_NAMES, type Ply, plyOf, START, type Tree } from "./tree.ts";

interface TreeProps {
  readonly tree: Tree;
  readonly at: number;
  readonly go: (id: number) => void;
  readonly gameAfter: (id: number) => Game;
}

/** Moves as they were drawn last: those that are the same are not looked at again, however long the game is. */
type Drawn = Map<number, { readonly ply: Ply; readonly number: number; readonly isHere: boolean; readonly move: VNode }>;

export function MoveTree(props: TreeProps) {
  const { tree, at } = props;
  const drawn = useRef<Drawn>(new Map());
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
    <div class="tree" ref={list} role="group" aria-label={t("web.moves")}>
      <button
        type="button"
        class="tree-start"
        aria-current={at === START ? "step" : undefined}
        tabIndex={at === START ? 0 : -1}
        onClick={() => props.go(START)}
      >
        {t("web.analysis.start")}
      </button>
      <Said texts={start.comments} />
      {first === undefined ? <p class="none">{t("web.analysis.no_moves")}</p> : <Line {...props} first={first} number={1} drawn={drawn.current} />}
    </div>
  );
}

function Line(props: TreeProps & { readonly first: number; readonly number: number; readonly drawn: Drawn }) {
  const { tree, first, at, drawn } = props;
  const items: ComponentChildren[] = [];
  let number = props.number;
  for (let id: number | undefined = first; id !== undefined; number += 1) {
    const ply: Ply = plyOf(tree, id);
    const [main, ...others] = plyOf(tree, ply.parent).children;
    const isHere = id === at;
    const known = drawn.get(id);
    if (known?.ply === ply && known.number === number && known.isHere === isHere) items.push(known.move);
    else {
      const move = <Move key={id} go={props.go} gameAfter={props.gameAfter} ply={ply} number={number} isHere={isHere} />;
      drawn.set(id, { ply, number, isHere, move });
      items.push(move);
    }
    if (main === id && others.length > 0) {
      const here = number;
      items.push(
        <li key={`beside-${id}`} class="beside">
          {others.map((other) => (
            <Line key={other} {...props} first={other} number={here} />
          ))}
        </li>,
      );
    }
    id = ply.children[0];
  }
  return (
    <ol class="line">
      {items}
    </ol>
  );
}

interface MoveProps extends Pick<TreeProps, "go" | "gameAfter"> {
  readonly ply: Ply;
  readonly number: number;
  readonly isHere: boolean;
}

function Move({ ply, number, isHere, go, gameAfter }: MoveProps) {
  const played = gameAfter(ply.id).state.last;
  return (
    <li>
      <Said texts={ply.before} />
      <button
        type="button"
        aria-current={isHere ? "step" : undefined}
        tabIndex={isHere ? 0 : -1}
        onClick={() => go(ply.id)}
      >
        <span class="number">{number}. </span>
        {played?.piece === "king" && `${t("web.king.letter")} `}
        {ply.move.replace("-", "–")}
        {played && played.captures.length > 0 && (
          <span class="taken"> ×{played.captures.map((one) => one.square).join(" ")}</span>
        )}
        {ply.glyph && <GlyphMark glyph={ply.glyph} />}
      </button>
      <Said texts={ply.comments} />
    </li>
  );
}

function GlyphMark({ glyph }: { readonly glyph: string }) {
  return (
    <span class="glyph">
      <span aria-hidden="true">{glyph}</span>
      <span class="unseen"> {t(`web.glyph.${GLYPH_NAMES[glyph]}`)}</span>
    </span>
  );
}

function Said({ texts }: { readonly texts: readonly string[] }) {
  return texts.map((text, place) => (
    <p key={place} class="said">
      {text}
    </p>
  ));
}

type StepsProps = Pick<TreeProps, "tree" | "at" | "go"> & { readonly flip: () => void };

export function TreeSteps({ tree, at, go, flip }: StepsProps) {
  const ply = plyOf(tree, at);
  const ways = { first: START, back: ply.parent, forward: ply.children[0] ?? at, last: endOf(tree, at) };
  return (
    <Steps at={at} ways={ways} go={go}>
      <FlipButton flip={flip} />
    </Steps>
  );
}
