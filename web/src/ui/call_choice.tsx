// Manual calls: the choice of what to call with the next move, and the price of a missing call.

import { t } from "../texts.ts";
import type { CallFacts } from "../variants.ts";
import { Choice } from "./choice.tsx";

/** What is called with a move: nothing, one open road, or two and more. */
export type Call = 0 | 1 | 2;

const CALLS: readonly Call[] = [0, 1, 2];

interface Props {
  readonly calls: CallFacts;
  readonly chosen: Call;
  readonly choose: (call: Call) => void;
}

export function CallChoice({ calls, chosen, choose }: Props) {
  const said = (word: "one_exit" | "two_exits") => {
    const original = calls.originals?.[word];
    return original ? `${calls.words[word]} (${original})` : calls.words[word];
  };
  const words: Record<Call, string> = { 0: t("web.call.nothing"), 1: said("one_exit"), 2: said("two_exits") };
  const cost = calls.sanction !== "none" ? t(`web.call.cost.${calls.replay}`) : t("web.call.cost.none");
  return (
    <div class="call-choice">
      <Choice legend={t("web.call.with")} name="call" values={CALLS} chosen={chosen} choose={choose} label={(call) => words[call]} />
      <p>
        {cost}
        {calls.sanction === "until_called" && ` ${t("web.call.cost.until_called")}`}
        {calls.sanction !== "none" && calls.wrong_number === "forgotten" && ` ${t("web.call.cost.wrong_number")}`}
      </p>
    </div>
  );
}
