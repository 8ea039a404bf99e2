// Setting up a position: which piece a tap puts, whose turn it is, the position as text, and what the rules have against it.

import { useState } from "preact/hooks";
import { PieceDrawing } from "../game/icons.tsx";
import { type Piece, Refused, type Rules, type Side, type SetupCheck } from "../rules.ts";
import { t } from "../texts.ts";
import type { Tool } from "./board.tsx";
import { Onwards } from "./chooser.tsx";
import { faultText } from "./faults.ts";
import { type Position, positionOf, textOf } from "./position.ts";
import type { Study } from "./study.ts";

const PIECES: readonly Piece[] = ["attacker", "defender", "king"];
const SIDES: readonly Side[] = ["attackers", "defenders"];

interface Props {
  readonly study: Study;
  readonly position: Position;
  readonly set: (position: Position) => void;
  readonly tool: Tool;
  readonly setTool: (tool: Tool) => void;
  /** How many moves will be gone when the position is taken. */
  readonly moves: number;
  readonly done: (start: string) => void;
}

export function SetUp({ study, position, set, tool, setTool, moves, done }: Props) {
  const { rules } = study;
  const text = textOf(position);
  const check = rules.check(text);
  return (
    <div class="set-up">
      <fieldset class="choice tools">
        <legend>{t("web.analysis.tool")}</legend>
        {(["hand", ...PIECES, "nothing"] as const).map((name) => (
          <label key={name}>
            <input type="radio" name="tool" checked={tool === name} onChange={() => setTool(name)} />
            {name !== "hand" && name !== "nothing" && <PieceDrawing piece={name} />}
            <span class={name === "hand" || name === "nothing" ? "" : "unseen"}>
              {name === "hand" || name === "nothing" ? t(`web.analysis.tool.${name}`) : t(`piece.${name}`)}
            </span>
          </label>
        ))}
      </fieldset>
      <fieldset class="choice">
        <legend>{t("web.analysis.turn")}</legend>
        {SIDES.map((side) => (
          <label key={side}>
            <input
              type="radio"
              name="turn"
              checked={position.turn === side}
              onChange={() => set({ ...position, turn: side })}
            />
            {t(`side.${side}`)}
          </label>
        ))}
      </fieldset>
      <div class="buttons">
        <button type="button" onClick={() => set(positionOf(rules.facts.start, rules.facts.size))}>
          {t("web.analysis.usual_start")}
        </button>
        <button type="button" onClick={() => set({ ...position, pieces: new Map() })}>
          {t("web.analysis.clear")}
        </button>
      </div>
      <PositionText rules={rules} text={text} set={set} />
      <Faults check={check} />
      {moves > 0 && <p class="note">{t("web.analysis.set_up.drops")}</p>}
      <div class="buttons">
        <button type="button" class="main" disabled={!check.playable} onClick={() => done(check.setup ?? text)}>
          {t("web.analysis.set_up.done")}
        </button>
      </div>
      {check.playable && <Onwards study={study} position={check.setup ?? text} turn={position.turn} />}
    </div>
  );
}

/** What was typed in place of a text, and what is wrong with it. It is forgotten when the text changes. */
interface Draft {
  readonly instead: string;
  readonly typed: string;
  readonly why: readonly string[];
}

function PositionText({ rules, text, set }: { rules: Rules; text: string; set: Props["set"] }) {
  const [draft, setDraft] = useState<Draft | null>(null);
  const { typed, why } = draft?.instead === text ? draft : { typed: text, why: [] };
  const take = (value: string) => {
    const { setup, faults } = rules.check(completed(value.trim(), text));
    const isWhole = setup !== undefined && rowsIn(setup) === rules.facts.size;
    if (isWhole) set(positionOf(setup, rules.facts.size));
    setDraft({ instead: text, typed: value, why: isWhole ? [] : faults.map(faultText) });
  };
  return (
    <label class="position-text">
      <span>{t("web.analysis.position")}</span>
      <input
        type="text"
        spellcheck={false}
        autocomplete="off"
        value={typed}
        aria-invalid={why.length > 0}
        onChange={(event) => take(event.currentTarget.value)}
      />
      {why.map((one) => (
        <span key={one} class="why-not">
          {one}
        </span>
      ))}
    </label>
  );
}

/** A position of which only the rows were pasted, with the rest of another one. */
function completed(typed: string, text: string): string {
  return /\s/.test(typed) ? typed : [typed, ...text.split(" ").slice(1)].join(" ");
}

function rowsIn(setup: string): number {
  return (setup.split(" ")[0] ?? "").split("/").length;
}

function Faults({ check }: { readonly check: SetupCheck }) {
  return (
    <div class="faults" role="status">
      {check.faults.length === 0 ? (
        <p class="well">{t("web.analysis.set_up.well")}</p>
      ) : (
        <>
          <p>{t(check.playable ? "web.analysis.set_up.odd" : "web.analysis.set_up.wrong")}</p>
          <ul>
            {check.faults.map((fault) => (
              <li key={faultText(fault)}>{faultText(fault)}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

/** Whether a start position can be played from; the faults in words if not. */
export function faultsOf(error: unknown): string {
  if (!(error instanceof Refused)) throw error;
  return faultText(error.refusal);
}
