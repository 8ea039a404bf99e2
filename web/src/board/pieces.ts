// The pieces: a wedge for an attacker, a dome for a defender, a crown for the king.
//
// Their shapes differ, so that they can be told apart without colours. Each is drawn in 100 by 100 units, with the
// outlines of `hnefi.diagram`. Classes give the colours; outlines are never thinner than a pixel.

import type { Piece, Rank } from "../rules.ts";
import { rule } from "./style.ts";
import { path, type Point } from "./view.ts";

export const PIECE_SETS = ["wood", "stone", "contrast", "runic"] as const;
type PieceSet = (typeof PIECE_SETS)[number];

const WEDGE = "M50 9 85 76 76 91H24L15 76Z";
const DOME = "M17 80C17 46 30 27 50 27S83 46 83 80L77 91H23Z";
const CROWN = "M22 15 38 29 50 5 62 29 78 15 69 50 88 80 80 94H20L12 80 31 50Z";

const STONE_WEDGE = "M50 12C55 12 84 70 83 77 82 84 76 90 70 90H30C24 90 18 84 17 77 16 70 45 12 50 12Z";
const STONE_DOME = "M50 28C72 28 84 46 84 68 84 84 74 90 50 90S16 84 16 68C16 46 28 28 50 28Z";
const STONE_CROWN =
  "M26 17C31 24 36 28 40 28 45 26 47 8 50 8S55 26 60 28C64 28 69 24 74 17 78 13 81 17 79 23L70 49" +
  "C74 62 86 72 86 80 86 88 80 93 72 93H28C20 93 14 88 14 80 14 72 26 62 30 49L21 23C19 17 22 13 26 17Z";

const specks = (kind: string, list: string): string =>
  list
    .split(",")
    .map((speck) => {
      const [x, y, r] = speck.split(" ");
      return `<circle class="${kind}" cx="${x}" cy="${y}" r="${r}"/>`;
    })
    .join("");

// Marks of ranks on a soldier: horns and a chevron (commander), a plume and a cross (knight), a pennon and two
// opposite points (renegade).
const RANKS = {
  commander: ["M37 40 16 8 50 26 84 8 63 40Z", "M32 74 50 54 68 74"],
  knight: ["M50 36 34 26 44 2 72 12 60 20Z", "M50 46V84M33 62H67"],
  renegade: ["M45 38V2L82 12 55 23V38Z", "M34 60 50 47 66 60M34 70 50 83 66 70"],
} as const;

const ranked = ([soldier, shape]: [string, string]): string =>
  soldier === "king"
    ? ""
    : Object.entries(RANKS)
        .map(
          ([rank, [crest, badge]]) =>
            `<g id="${soldier}_${rank}">${path(`crest ${soldier}-crest`, crest)}${shape}${path(`badge ${soldier}-badge`, badge)}</g>`,
        )
        .join("");

const SETS: Readonly<Record<PieceSet, Readonly<Record<Exclude<Piece, Rank>, string>>>> = {
  wood: {
    attacker:
      path("tar", WEDGE) +
      path("tar-hi", "M50 9 15 76 44 79Z") +
      path("tar-lo", "M15 76 44 79 85 76 76 91H24Z") +
      path("tar-ridge", "M50 9 44 79") +
      path("outline tar-edge", WEDGE) +
      path("tar-rim", "M47 20 20 72"),
    defender:
      path("bone", DOME) +
      path("bone-lo soft", "M50 27C68 27 83 46 83 80H56C66 62 64 40 50 27Z") +
      path("bone-hi", "M26 66C27 48 35 37 45 34") +
      path("bone-lo", "M17 80H83L77 91H23Z") +
      path("base", "M17 80H83") +
      path("outline bone-edge", DOME),
    king:
      path("bone", CROWN) +
      path("bone-lo soft", "M50 5 62 29 78 15 69 50 88 80H58L54 50Z") +
      path("bone-lo", "M12 80H88L80 94H20Z") +
      path("bone-hi", "M28 24 35 50 20 76") +
      path("weld base", "M29 42H71L69 50 73 58H27L31 50Z") +
      path("lozenge", "M50 43 56 50 50 57 44 50Z") +
      path("base", "M12 80H88") +
      path("outline bone-edge", CROWN),
  },
  stone: {
    attacker:
      path("flint outline flint-edge", STONE_WEDGE) +
      path("flint-hi", "M44 30C38 42 28 60 26 70") +
      specks("flint-speck", "49 62 1.8,42 72 1.5,52 79 1.2,56 68 2.2,44 61 1.4"),
    defender:
      path("chalk", STONE_DOME) +
      path("chalk-lo", "M84 64C84 84 74 90 50 90S22 86 18 76C40 84 66 82 84 64Z") +
      path("outline chalk-edge", STONE_DOME) +
      path("chalk-hi", "M29 56C32 46 38 41 46 39") +
      specks("chalk-lo", "65 53 1.7,59 58 1.7,38 50 1.3,65 66 1.4,40 59 1.9"),
    king:
      path("chalk", STONE_CROWN) +
      path("chalk-lo", "M70 49C74 62 86 72 86 80 86 88 80 93 72 93H28C22 93 18 90 15 85 44 90 66 78 70 49Z") +
      path("weld", "M30 44H71V55H29Z") +
      path("outline chalk-edge", STONE_CROWN) +
      path("chalk-line", "M30 44H71M29 55H71") +
      specks("chalk-lo", "54 79 1.7,60 70 1.9,52 76 1.6,39 74 1.1,54 65 1.9"),
  },
  contrast: {
    attacker: path("black white-rim", WEDGE) + path("black black-line", WEDGE),
    defender: path("white black-rim", DOME) + path("black-bar", "M30 72H70"),
    king: path("white black-rim", CROWN) + path("black-bar", "M34 50H66M50 50V84"),
  },
  runic: {
    attacker: path("ink ink-rim", "M50 17 82 86H18Z") + path("paper-stroke", "M36 74 50 42 64 74"),
    defender: path("paper ink-rim", "M20 87V58L36 34H64L80 58V87Z") + path("ink-stroke", "M50 50 60 62 50 74 40 62Z"),
    king:
      path("paper ink-rim bevel", "M24 17 38 34 50 12 62 34 76 17 67 56 83 89H17L33 56Z") +
      path("ink-stroke", "M34 56H66M50 58 60 72 50 86 40 72Z"),
  },
};

/** Returns the SVG definitions of a set, which `drawPiece` uses. */
export function definitions(set: PieceSet): string {
  return Object.entries(SETS[set])
    .map(([piece, shape]) => `<g id="${piece}">${shape}</g>${ranked([piece, shape])}`)
    .join("");
}

/** Draws a piece with its shadow, around the centre of its square. The king is the tallest. */
export function drawPiece(piece: Piece): string {
  const king = piece === "king";
  const [size, top] = king ? [92, -47] : [80, -42];
  // Light comes from the upper left: the piece casts a shadow to the right, and darkens the board where it stands.
  const [across, down] = king ? [42, 37] : [36, 31];
  const shadow =
    `<ellipse class="cast" cx="11" cy="${down}" rx="${across + 8}" ry="13"/>` +
    `<ellipse class="shadow" cx="2" cy="${down + 1}" rx="${across}" ry="9"/>`;
  const shape = `<use href="#${piece}" transform="translate(${-size / 2} ${top}) scale(${size / 100})"/>`;
  return `${shadow}<g class="body">${shape}</g>`;
}

/** Returns the SVG transformation that moves a piece to a point. */
export function transformTo({ x, y }: Point): string {
  return `translate(${x} ${y})`;
}

/** The colours and lines of the pieces. */
export const PIECE_STYLE = `
${rule("outline, base, bone-hi, flint-hi, chalk-hi, chalk-line, tar-ridge, tar-rim, black-bar, paper-stroke, ink-stroke", "fill:none")}
.shadow{fill:url(#contact)}.cast{fill:#1a0f05;opacity:.26}
:host([board=contrast]) :is(.shadow,.cast){display:none}
.outline{stroke-width:max(4.5px,var(--edge));stroke-linejoin:round}
.base{stroke:var(--bone-edge);stroke-width:max(2.5px,calc(var(--edge)*.5))}
:host{--bone-edge:#24180d;--weld:#edbd3f}
.tar{fill:#211a17}.tar-hi{fill:#5d4e43}.tar-lo{fill:#120d0b}.tar-ridge{stroke:#5d4e43;stroke-width:2px}
.tar-edge,.flint-edge{stroke:var(--dark-edge)}.tar-rim{stroke:var(--dark-rim);stroke-width:2.5px;stroke-linecap:round}
.bone{fill:#f6ecd7}.bone-lo{fill:#b39b72}.soft{opacity:.5}.bone-edge{stroke:var(--bone-edge)}
.bone-hi{stroke:#fff;stroke-width:4.5px;stroke-linecap:round;stroke-linejoin:round}
.weld{fill:var(--weld)}.lozenge{fill:var(--bone-edge)}
.flint{fill:#21313a}.flint-hi{stroke:#6f8993;stroke-width:6px;stroke-linecap:round}.flint-speck{fill:#6f8993}
.chalk{fill:#e4e6e0}.chalk-lo{fill:#b3bab5}.chalk-edge,.chalk-line{stroke:#2b3537}.chalk-line{stroke-width:3px}
.chalk-hi{stroke:#fff;stroke-width:6px;stroke-linecap:round}
.black{fill:#000}.white{fill:#fff}.black-line{stroke:#000;stroke-width:4px;stroke-linejoin:round}
.white-rim{stroke:#fff;stroke-width:max(11px,calc(var(--edge)*1.5 + 2px));stroke-linejoin:round}
.black-rim{stroke:#000;stroke-width:max(9px,calc(var(--edge)*1.5));stroke-linejoin:round}
.black-bar{stroke:#000;stroke-width:max(8px,calc(var(--edge)*1.5))}
.crest{stroke-width:max(4.5px,var(--edge));stroke-linejoin:round}
.attacker-crest{fill:#211a17;stroke:var(--dark-edge)}.defender-crest{fill:#f6ecd7;stroke:var(--bone-edge)}
.badge{fill:none;stroke-width:max(11px,calc(var(--edge)*2))}.attacker-badge{stroke:var(--weld)}.defender-badge{stroke:var(--bone-edge)}
.ink{fill:#1f1a17}.paper{fill:#f8f4ea}.ink-rim{stroke:var(--dark-edge);stroke-width:max(8px,var(--edge))}.bevel{stroke-linejoin:bevel}
.ink-stroke{stroke:#1f1a17;stroke-width:6px}.paper-stroke{stroke:#f8f4ea;stroke-width:5.5px}
@media print{
 :host{--bone-edge:#000;--weld:#fff}
 ${rule("tar, tar-hi, tar-lo, flint, ink", "fill:#000")}
 ${rule("bone, bone-lo, bone-hi, chalk, chalk-lo, paper", "fill:#fff")}
 .bone-hi{stroke:none}.tar-ridge{stroke:#777}.shadow,.cast{display:none}
}
@media (forced-colors:active){
 :host{--bone-edge:CanvasText!important;--weld:Canvas!important}
 ${rule("tar, tar-hi, tar-lo, flint, ink, black", "fill:CanvasText")}
 ${rule("bone, bone-lo, chalk, chalk-lo, paper, white", "fill:Canvas")}
 ${rule("paper, chalk-edge, chalk-line, black-rim, black-line, black-bar, ink-stroke", "stroke:CanvasText")}
 ${rule("paper-stroke, white-rim, flint-hi", "stroke:Canvas")}
 .shadow,.cast,.tar-rim,.bone-hi{display:none}
}
`;
