// Calling by oneself: what is said with the next move, and what forgetting costs.

import { t } from "../texts.ts";
import type { CallFacts } from "./facts.ts";

export type Call = 0 | 1 | 2;

interface Props {
  readonly calls: CallFacts;
  readonly chosen: Call;
  readonly choose: (call: Call) => void;
}

export function Calling({ calls, chosen, choose }: Props) {
  const words: Record<Call, string> = { 0: t("web.call.nothing"), 1: calls.words.one_exit, 2: calls.words.two_exits };
  const cost = calls.sanction === "replay" ? t(`web.call.cost.${calls.replay}`) : t("web.call.cost.none");
  return (
    <div class="calling">
      <fieldset class="choice">
        <legend>{t("web.call.with")}</legend>
        {([0, 1, 2] as const).map((call) => (
          <label key={call}>
            <input type="radio" name="call" checked={chosen === call} onChange={() => choose(call)} />
            {words[call]}
          </label>
        ))}
      </fieldset>
      <p>{cost}</p>
    </div>
  );
}
