// Counters beside the board: plies without a capture, whether the king is in danger, open roads.

import type { GameState, Side } from "../rules.ts";
import { plural, t } from "../texts.ts";
import { quietLimit, type VariantFacts } from "../variants.ts";

const MOST_NOTCHES = 60;
const SOON = 4;

interface Props {
  readonly facts: VariantFacts;
  readonly state: GameState;
  /** The side that the user alone has. */
  readonly own: Side | null;
}

export function Counters({ facts, state, own }: Props) {
  const limit = quietLimit(facts);
  return (
    <div class="counters">
      {limit !== null && state.quiet >= limit / 2 && <Quiet limit={limit} quiet={state.quiet} />}
      {state.danger && (
        <p class={state.danger.threatened ? "king-line danger" : "king-line"}>
          {kingTexts(state, own).map((text) => (
            <span key={text}>{text}</span>
          ))}
        </p>
      )}
    </div>
  );
}

/** Returns what the king has to fear and to hope for: whether he can be captured, and the open roads. */
export function kingTexts({ danger, turn, roads }: GameState, own: Side | null): readonly string[] {
  return [
    danger?.threatened && turn ? dangerText(turn, own) : "",
    danger && roads.length > 0 ? plural("web.roads.open", roads.length) : "",
  ].filter(Boolean);
}

/** Returns whether the king can be captured now, or next. */
export function dangerText(turn: Side, own: Side | null): string {
  return t(own === "defenders" ? `web.king.danger.${turn}.yours` : `web.king.danger.${turn}`);
}

/** A tally stick: one deep notch for every ply without a capture. */
function Quiet({ limit, quiet }: { readonly limit: number; readonly quiet: number }) {
  const left = limit - quiet;
  const words = t("web.quiet", { quiet, limit });
  return (
    <>
      <p class={left <= SOON ? "quiet soon" : "quiet"}>
        {words}
        {left > 0 && left <= SOON && <span>{plural("web.quiet.soon", left)}</span>}
      </p>
      {limit <= MOST_NOTCHES && (
        <svg class="notches" viewBox={`0 0 ${limit * 8 + 4} 20`} preserveAspectRatio="xMaxYMid" aria-hidden="true">
          <path class="stick" d={`M0 18.5H${limit * 8 + 4}`} />
          <path class="cut-notches" d={notches(0, quiet, 16)} />
          <path class="left-notches" d={notches(quiet, limit, 5)} />
        </svg>
      )}
    </>
  );
}

function notches(from: number, to: number, depth: number): string {
  let drawn = "";
  for (let notch = from; notch < to; notch += 1) drawn += `M${notch * 8 + 3} 18l3-${depth} 3 ${depth}z`;
  return drawn;
}
