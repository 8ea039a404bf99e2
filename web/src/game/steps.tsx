// Going back and forth among the moves of a game: to the first, the last, and one by one.

import type { ComponentChildren } from "preact";
import { t } from "../texts.ts";
import { Icon, type IconName } from "./icons.tsx";

interface Props {
  readonly at: number;
  /** Where each of the four buttons leads. */
  readonly ways: { readonly first: number; readonly back: number; readonly forward: number; readonly last: number };
  readonly go: (at: number) => void;
  /** What stands beside them. */
  readonly children?: ComponentChildren;
}

export function Steps({ at, ways, go, children }: Props) {
  const steps: readonly [keyof Props["ways"] & IconName, boolean][] = [
    ["first", at !== ways.first],
    ["back", at !== ways.first],
    ["forward", at !== ways.last],
    ["last", at !== ways.last],
  ];
  return (
    <div class="steps">
      {steps.map(([way, isOpen]) => (
        <IconButton key={way} icon={way} label={t(`web.step.${way}`)} isOpen={isOpen} act={() => go(ways[way])} />
      ))}
      {children}
    </div>
  );
}

export function FlipButton({ flip }: { readonly flip: () => void }) {
  return <IconButton icon="flip" label={t("web.flip")} act={flip} />;
}

interface ButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly isOpen?: boolean;
  /** Whether it is pressed down, for a button that stays so. */
  readonly isPressed?: boolean;
  readonly act: () => void;
}

export function IconButton({ icon, label, isOpen = true, isPressed, act }: ButtonProps) {
  return (
    <button type="button" class={icon} aria-label={label} title={label} aria-pressed={isPressed} disabled={!isOpen} onClick={act}>
      <Icon name={icon} />
    </button>
  );
}

/** Where the buttons lead along the plies of a game, which are numbered from 0. */
export function waysAlong(at: number, last: number): Props["ways"] {
  return { first: 0, back: at - 1, forward: at + 1, last };
}
