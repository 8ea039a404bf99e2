// Fields of forms: the choice of one value among several, and a box to tick.

import type { ComponentChildren } from "preact";

export interface ChoiceProps<Value> {
  readonly legend: string;
  readonly isLegendUnseen?: boolean;
  /** The name of its radio buttons. */
  readonly name: string;
  /** Its classes besides `choice`. */
  readonly kind?: string;
  readonly values: readonly Value[];
  readonly chosen: Value;
  readonly choose: (value: Value) => void;
  readonly label: (value: Value) => ComponentChildren;
}

export function Choice<Value extends string | number>(props: ChoiceProps<Value>) {
  const { legend, isLegendUnseen, name, kind = "", values, chosen, choose, label } = props;
  return (
    <fieldset class={`choice ${kind}`.trim()}>
      <legend class={isLegendUnseen ? "unseen" : ""}>{legend}</legend>
      {values.map((value) => (
        <label key={value}>
          <input type="radio" name={name} checked={value === chosen} onChange={() => choose(value)} />
          {label(value)}
        </label>
      ))}
    </fieldset>
  );
}

export function Tick({ isOn, set, label }: { isOn: boolean; set: (isOn: boolean) => void; label: string }) {
  return (
    <label class="tick">
      <input type="checkbox" checked={isOn} onChange={(event) => set(event.currentTarget.checked)} />
      {label}
    </label>
  );
}
