// The annotations of a move: glyph and comment; and buttons to promote or remove its line.

import { t } from "../../texts.ts";
import { change, GLYPH_NAMES, GLYPHS, isMain, plyOf, promote, START, type MoveTree } from "./move_tree.ts";

interface Props {
  readonly tree: MoveTree;
  readonly at: number;
  /** Replaces the tree, and goes to a ply. */
  readonly set: (tree: MoveTree, at: number) => void;
  /** Removes the ply and everything after it. */
  readonly remove: () => void;
}

export function Annotations({ tree, at, set, remove }: Props) {
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
