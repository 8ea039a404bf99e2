// The style sheet of the board: colours of the boards, lines, the grid. The pieces have their own.

/** The names of the colours of a board, in the order of `BOARDS`. The casing is around the marks of roads. */
const NAMES = "field frame cut lip hole ink grain mark chip chip-lit nick bad road casing drawn dark-edge dark-rim".split(" ");
const BOARDS = {
  wood:
    "#99774e #725a3e #4f3d28 #c4ae8b #35281a #fbf3e2 #5f4a30 #082a3c #4f3d28 #d8c5a2 #c4ae8b #5c0a0a #ffd766 #2a1a08 #35104a #0b0807 #bfa98f",
  // The same wood by firelight.
  fire:
    "#856c50 #453728 #372b1e #9a846a #221910 #efe4cf #43341f #d9f1ff #332719 #a8927a #8f7a62 #ffd0c6 #ffd766 #2a1a08 #f2dcf8 #0b0807 #bfa98f",
  stone:
    "#5d6e71 #35464a #37474b #7f9093 #26343a #dce5e2 #4c5c60 #d6f0ff #35454a #8fa1a3 #7f9093 #ffd0c8 #fff #26343a #ead2f0 #0b0807 #bfa98f",
  white: "#fff #fff #000 #fff #000 #000 #fff #003e8a #6b6b6b #fff #000 #a00000 #000 #fff #6b2480 #000 #8a7a6b",
  black: "#000 #000 #fff #000 #fff #fff #000 #8fd6ff #8c8c8c #000 #fff #ffa79c #fff #000 #e6b8f2 #fff #d0c0b0",
  birch:
    "#dad6ca #c5c0b1 #3a342b #e6e3da #3a342b #2a251e #b7b1a1 #12384c #8a806c #efece4 #3a342b #8a1f1f #2a251e #dad6ca #693a73 #0d0b0a #8a7a6b",
  bog: "#3a3630 #292621 #8f8778 #46423b #b5ac9a #e0d9ca #49443c #d6f0ff #857c6b #56503f #8f8778 #ffc4ba #fff #3a3630 #e6c8f0 #b5a593 #7d7062",
  // On paper: black on white, without colours.
  paper: "#fff #fff #000 #fff #555 #000 #fff #000 #555 #fff #000 #000 #000 #fff #000 #000 #555",
  // Forced colours: only those of the user's system.
  forced:
    "Canvas Canvas CanvasText Canvas CanvasText CanvasText Canvas Highlight CanvasText Canvas CanvasText LinkText CanvasText Canvas LinkText Canvas Canvas",
} as const;

type BoardName = keyof typeof BOARDS;

/** Returns the colours of a board for light and for dark pages. */
function colours(light: BoardName, dark: BoardName): string {
  const [day, night] = [BOARDS[light].split(" "), BOARDS[dark].split(" ")];
  return NAMES.map((name, k) => `--${name}:light-dark(${day[k]},${night[k]})`).join(";");
}

export const rule = (names: string, how: string): string => `:is(${names.replace(/[\w-]+/g, ".$&")}){${how}}`;

export const STYLE = `
:host{display:block;position:relative;${colours("wood", "fire")};--edge:0px;
 --font:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
:host([hidden]){display:none}
:host([board=wood]){${colours("wood", "wood")}}
:host([board=stone]){${colours("stone", "stone")}}
:host([board=contrast]){${colours("white", "black")}}
:host([board=runic]){${colours("birch", "bog")}}
.board{position:relative;aspect-ratio:1;user-select:none;-webkit-user-select:none;-webkit-touch-callout:none}
.board.live{touch-action:var(--board-touch,none)}
svg{position:absolute;inset:0;width:100%;height:100%;pointer-events:none}
${rule("rim, lip, recess, ledge, hole-lip, cut, grain, ring, mark, hatch, hatch-lit, road, halo, danger, shaft, hull, core, bars, drawn", "fill:none")}
.frame{fill:var(--frame)}.field{fill:var(--field)}.nick{fill:var(--nick)}.hole{fill:var(--hole)}
.light{fill:url(#light)}.dim{opacity:.35}.glow{fill:#ffd766;opacity:.42}
.rim,.lip{stroke:var(--lip);stroke-width:1.6px;opacity:.75}
:host([board=contrast]) :is(.light,.recess){display:none}
:host([board=contrast]) .frame{stroke:var(--cut);stroke-width:3px}
.cut{stroke:var(--cut);stroke-width:max(2.4px,calc(var(--px)*.7))}
.grain{stroke:var(--grain);stroke-width:1.7px;opacity:.3}
.recess{stroke:#1a0f04;stroke-width:7px;opacity:.5}.ledge{stroke:var(--lip);stroke-width:3.5px;opacity:.8}.hole-lip{stroke:var(--lip);stroke-width:2.2px;stroke-linecap:round}
.ring{stroke:var(--chip);stroke-width:3px}
.chip{fill:var(--chip)}.chip-lit{fill:var(--chip-lit)}
.hatch{stroke:var(--chip);stroke-width:4px;stroke-linecap:round}.hatch-lit{stroke:var(--chip-lit);stroke-width:3px;opacity:.8}
.names{fill:var(--ink);font-family:var(--font);font-weight:600;text-anchor:middle}
.mark{stroke:var(--mark);stroke-width:6px}.thin{stroke-width:3px}.dashed{stroke-width:5px;stroke-dasharray:14 10}
.emptied{stroke-width:4.5px;stroke-dasharray:7 7}.closing{stroke-width:4.5px;stroke-dasharray:11 9}
.solid{fill:var(--mark)}.lit{fill:var(--lip)}.bars{stroke:var(--field);stroke-width:5px;stroke-linecap:round}
.road,.halo{stroke:var(--road);stroke-width:8px;stroke-linejoin:round;stroke-linecap:round}
.halo{stroke:var(--casing);stroke-width:16px}
.danger{stroke:var(--bad);stroke-width:7px}
.shaft{stroke:var(--mark);stroke-width:8px}.planned .shaft{stroke-dasharray:16 12}
.hull{stroke:var(--mark);stroke-width:15px}.core{stroke:var(--field);stroke-width:6px}
.hollow{fill:var(--field);stroke:var(--mark);stroke-width:4.5px}
.arrow.drawn .shaft{stroke:var(--drawn);stroke-width:5px}.arrow.drawn .solid{fill:var(--drawn)}
circle.drawn{stroke:var(--drawn);stroke-width:5px}
.ghost{opacity:.35}.waiting .body{opacity:.72}
.grid{position:absolute;inset:var(--inset);display:grid;grid-template:repeat(var(--size),1fr)/repeat(var(--size),1fr)}
.row{display:contents}
.cell{outline:0;min-width:0;min-height:0;cursor:default}
.cell.mine{cursor:grab}.cell.target{cursor:pointer}.dragging .cell{cursor:grabbing}
.cell:focus-visible{outline:3px solid var(--mark);outline-offset:-3px;box-shadow:inset 0 0 0 5px var(--field);border-radius:2px}
.closing{transform-box:fill-box;transform-origin:center}
.announcer{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media print{
 :host,:host([board]){${colours("paper", "paper")}}
 .light,.recess,.glow{display:none}
}
@media (forced-colors:active){
 :host,:host([board]){${colours("forced", "forced")}}
 .light,.recess,.ledge,.glow{display:none}
 .cell:focus-visible{outline-color:Highlight}
}
`;
