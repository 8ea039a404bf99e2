// The size of squares on the screen: small ones make a finger miss, so that moves are confirmed and the board can be enlarged.

import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** Below this, squares measure less than 8 mm: on phones, with about 5.25 pixels a millimetre, and on screens with a mouse. */
const LEAST_PX = { touch: 42, mouse: 30 };
/** The frame with the coordinates, in squares. */
const FRAMES = 1.12;
/** The width of a square of the enlarged board. */
const ZOOMED_REM = 3.25;

const touch = matchMedia("(pointer: coarse)");

interface BoardZoom {
  /** For the element around the board, as wide as the board would be without zoom. */
  readonly box: RefObject<HTMLDivElement | null>;
  /** Whether squares measure less than 8 mm without zoom. */
  readonly isSmall: boolean;
  readonly isZoomed: boolean;
  /** The width of the enlarged board, as CSS. */
  readonly width: string;
  readonly toggle: () => void;
}

/** Measures the squares of a board with `size` squares a row, and enlarges it on demand around a square. */
export function useBoardZoom(size: number, centre: string | null): BoardZoom {
  const box = useRef<HTMLDivElement>(null);
  const [isSmall, setSmall] = useState(false);
  const [isWanted, setWanted] = useState(false);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => {
      const least = touch.matches ? LEAST_PX.touch : LEAST_PX.mouse;
      setSmall(element.clientWidth > 0 && element.clientWidth / (size + FRAMES) < least);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [size]);
  const isZoomed = isSmall && isWanted;
  useLayoutEffect(() => {
    const element = box.current;
    const cell = centre && element?.querySelector("tafl-board")?.shadowRoot?.querySelector(`[data-square="${centre}"]`);
    if (isZoomed && cell) cell.scrollIntoView({ block: "center", inline: "center" });
  }, [isZoomed, centre]);
  const toggle = () => setWanted(!isZoomed);
  return { box, isSmall, isZoomed, width: `${size * ZOOMED_REM}rem`, toggle };
}
