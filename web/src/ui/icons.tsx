// Icons, one stroke wide, and drawings of pieces.

import type { Piece } from "../rules.ts";

const PATHS = {
  undo: "M7.5 5 4 8.5l3.5 3.5M4 8.5h7.5a4.5 4.5 0 0 1 0 9H8",
  draw: "M4 7.5h12M4 12.5h12",
  resign: "M5 17V3.5M5 4h9.5L12 7.5 14.5 11H5",
  first: "M5 5v10M14 5l-5 5 5 5",
  back: "M12 5l-5 5 5 5",
  forward: "M8 5l5 5-5 5",
  last: "M15 5v10M6 5l5 5-5 5",
  flip: "M6 4v12M6 4 3.5 6.5M6 4l2.5 2.5M14 16V4M14 16l-2.5-2.5M14 16l2.5-2.5",
  more: "M4 6h12M4 10h12M4 14h12",
  play: "M7 4.5 15 10l-8 5.5Z",
  sounds: "M4 8v4h3l4 3.5v-11L7 8ZM13.5 7.5a3.5 3.5 0 0 1 0 5M15.5 5.5a6.5 6.5 0 0 1 0 9",
  silent: "M4 8v4h3l4 3.5v-11L7 8ZM14 8l4 4M18 8l-4 4",
  close: "M5 5l10 10M15 5 5 15",
  swap: "M3.5 6.5h12l-3-3M16.5 13.5h-12l3 3",
  eye: "M1.5 10C3.5 6.3 6.5 4.5 10 4.5S16.5 6.3 18.5 10C16.5 13.7 13.5 15.5 10 15.5S3.5 13.7 1.5 10ZM10 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z",
  plus: "M10 4v12M4 10h12",
  share: "M10 12.5V3.5M6.5 6.5 10 3l3.5 3.5M4 11v5.5h12V11",
  zoom: "M12.5 12.5 17 17M8.5 3.5a5 5 0 1 0 0 10 5 5 0 0 0 0-10M8.5 6.5v4M6.5 8.5h4",
  hint: "M7.5 13.5h5M8 16.5h4M10 3a5 5 0 0 0-3 9c.5.4.5 1 .5 1.5h5c0-.5 0-1.1.5-1.5a5 5 0 0 0-3-9Z",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** A piece, drawn by one of the SVG symbols that the server puts into the page. */
export function PieceDrawing({ piece }: { readonly piece: Piece }) {
  return (
    <svg class="piece" viewBox="0 0 100 100" aria-hidden="true">
      <use href={`#piece-${piece}`} />
    </svg>
  );
}
