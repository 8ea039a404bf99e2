// What is thought of a move: a sign, a comment; and what is done with its line.

import { t } from "../texts.ts";
import { change, GLYPH_NAMES, GLYPHS, isMain, plyOf, promote, remove, START, type Tree } from "./tree.ts";

interface Props {
  readonly tree: Tree;
  readonly at: number;
  /** Takes a tree that has changed, and where one is in it then. */
  readonly set: (tree: Tree, at: number) => void;
}

export function Notes({ tree, at, set }: Props) {
  const ply = plyOf(tree, at);
  const isStart = at === START;
  return (
    <div class="notes">
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
        <span>{t(isStart ? "web.analysis.comment.start" : "web.analysis.comment")}</span>
        <textarea
          rows={1}
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
          <button type="button" onClick={() => set(remove(tree, at), ply.parent)}>
            {t("web.analysis.remove")}
          </button>
        </div>
      )}
    </div>
  );
}
