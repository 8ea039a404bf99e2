// A small board without input: a position as an image, drawn with the symbols of the page.

import type { Shape } from "../board/types.ts";
import { piecesOf, placeOf, sizeOf } from "../positions.ts";

const SQUARE = 100;
const FRAME = 18;

interface Props {
  readonly position: string;
  /** Its special squares, which are marked if they are known. */
  readonly shape?: Shape | null | undefined;
}

/** Returns a path, as `_marks` in src/hnefi/server/pages/board_tiles.py: a diamond, crosses for corners, strokes for camps. */
function marksPath({ size, throne, corners = [], camps = [] }: Shape): string {
  const at = (square: string, right: number, down: number) => {
    const { file, rank } = placeOf(square);
    return `M${file * SQUARE + right} ${(size - 1 - rank) * SQUARE + down}`;
  };
  const crosses = corners.map((square) => `${at(square, 15, 15)}l70 70${at(square, 85, 15)}l-70 70`);
  const strokes = camps.flat().map((square) => `${at(square, 15, 85)}l70-70`);
  return [throne ? `${at(throne, 50, 8)}l42 42-42 42-42-42z` : "", ...crosses, ...strokes].join("");
}

export function MiniBoard({ position, shape }: Props) {
  const size = sizeOf(position);
  const length = size * SQUARE;
  const lines = Array.from({ length: size - 1 }, (_, index) => (index + 1) * SQUARE);
  return (
    <svg class="mini-board" viewBox={`${-FRAME} ${-FRAME} ${length + 2 * FRAME} ${length + 2 * FRAME}`} aria-hidden="true">
      <rect class="frame" x={-FRAME} y={-FRAME} width={length + 2 * FRAME} height={length + 2 * FRAME} rx={FRAME} />
      <rect class="field" width={length} height={length} />
      <path class="grid" d={lines.map((at) => `M${at} 0V${length}M0 ${at}H${length}`).join("")} />
      {shape && <path class="tile-marks" d={marksPath(shape)} />}
      {[...piecesOf(position)].map(([square, piece]) => {
        const { file, rank } = placeOf(square);
        return (
          <use
            key={square}
            href={`#piece-${piece}`}
            x={file * SQUARE}
            y={(size - 1 - rank) * SQUARE}
            width={SQUARE}
            height={SQUARE}
          />
        );
      })}
    </svg>
  );
}
