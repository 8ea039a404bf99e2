// A small board without input: a position as an image, drawn with the symbols of the page.

import { piecesOf, placeOf } from "../positions.ts";

const SQUARE = 100;
const FRAME = 18;

interface Props {
  readonly position: string;
}

export function MiniBoard({ position }: Props) {
  const size = position.split(" ")[0]?.split("/").length ?? 0;
  const length = size * SQUARE;
  const lines = Array.from({ length: size - 1 }, (_, index) => (index + 1) * SQUARE);
  return (
    <svg class="mini-board" viewBox={`${-FRAME} ${-FRAME} ${length + 2 * FRAME} ${length + 2 * FRAME}`} aria-hidden="true">
      <rect class="frame" x={-FRAME} y={-FRAME} width={length + 2 * FRAME} height={length + 2 * FRAME} rx={FRAME} />
      <rect class="field" width={length} height={length} />
      <path class="grid" d={lines.map((at) => `M${at} 0V${length}M0 ${at}H${length}`).join("")} />
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
