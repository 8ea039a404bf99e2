// The tab to set up a position: tools, the side to move, the position as text, and what the rules object to.

import { useState } from "preact/hooks";
import { formatPosition, parsePosition, type Position, sizeOf } from "../../positions.ts";
import type { Rules, SetupCheck, Side } from "../../rules.ts";
import { t } from "../../texts.ts";
import type { Tool } from "../../ui/board.tsx";
import { Choice } from "../../ui/choice.tsx";
import { positionFaultText } from "../../ui/refusals.ts";
import { PIECES, Tools } from "../../ui/tools.tsx";
import { sideName } from "../../variants.ts";
import { PositionActions } from "./position_actions.tsx";
import type { Study } from "./study.ts";

const TOOLS: readonly Tool[] = ["hand", ...PIECES, "nothing"];
const SIDES: readonly Side[] = ["attackers", "defenders"];

interface Props {
  readonly study: Study;
  readonly position: Position;
  readonly set: (position: Position) => void;
  readonly tool: Tool;
  readonly setTool: (tool: Tool) => void;
  /** The number of moves that were tried so far. */
  readonly moves: number;
  readonly done: (start: string) => void;
}

export function SetupPanel({ study, position, set, tool, setTool, moves, done }: Props) {
  const { rules } = study;
  const text = formatPosition(position);
  const check = rules.check(text);
  return (
    <div class="stack setup">
      <Tools legend={t("web.analysis.tool")} values={TOOLS} chosen={tool} choose={setTool} />
      <Choice
        legend={t("web.analysis.turn")}
        name="turn"
        values={SIDES}
        chosen={position.turn}
        choose={(turn) => set({ ...position, turn })}
        label={sideName}
      />
      <div class="buttons">
        <button type="button" onClick={() => set(parsePosition(rules.facts.start, rules.facts.size))}>
          {t("web.analysis.usual_start")}
        </button>
        <button type="button" onClick={() => set({ ...position, pieces: new Map() })}>
          {t("web.analysis.clear")}
        </button>
      </div>
      <PositionText rules={rules} text={text} set={set} />
      <Faults check={check} />
      {moves > 0 && <p class="note">{t("web.analysis.set_up.earlier")}</p>}
      <div class="buttons">
        <button type="button" class="main" disabled={!check.playable} onClick={() => done(check.setup ?? text)}>
          {t("web.analysis.set_up.done")}
        </button>
      </div>
      {check.playable && <PositionActions study={study} position={check.setup ?? text} turn={position.turn} />}
    </div>
  );
}

/** A typed position that replaces a text, and its fault. It is dropped when the text changes. */
interface Draft {
  readonly replaces: string;
  readonly typed: string;
  readonly faults: readonly string[];
}

function PositionText({ rules, text, set }: { rules: Rules; text: string; set: Props["set"] }) {
  const [draft, setDraft] = useState<Draft | null>(null);
  const { typed, faults } = draft?.replaces === text ? draft : { typed: text, faults: [] };
  const take = (value: string) => {
    const { setup, faults: refusals } = rules.check(completed(value.trim(), text));
    const isComplete = setup !== undefined && sizeOf(setup) === rules.facts.size;
    if (isComplete) set(parsePosition(setup, rules.facts.size));
    setDraft({ replaces: text, typed: value, faults: isComplete ? [] : refusals.map(positionFaultText) });
  };
  return (
    <label class="position-text">
      <span>{t("web.analysis.position")}</span>
      <input
        type="text"
        spellcheck={false}
        autocomplete="off"
        value={typed}
        aria-invalid={faults.length > 0}
        onChange={(event) => take(event.currentTarget.value)}
      />
      {faults.map((fault) => (
        <span key={fault} class="fault" role="alert">
          {fault}
        </span>
      ))}
    </label>
  );
}

/** Completes rows without a side to move by those of another position. */
function completed(typed: string, text: string): string {
  return /\s/.test(typed) ? typed : [typed, ...text.split(" ").slice(1)].join(" ");
}

function Faults({ check }: { readonly check: SetupCheck }) {
  return (
    <div class="faults" role="status">
      {check.faults.length === 0 ? (
        <p class="valid">{t("web.analysis.set_up.well")}</p>
      ) : (
        <>
          <p>{t(check.playable ? "web.analysis.set_up.odd" : "web.analysis.set_up.wrong")}</p>
          <ul>
            {check.faults.map((fault) => (
              <li key={positionFaultText(fault)}>{positionFaultText(fault)}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
