// Buttons that step through the moves of a game, and single icon buttons.

import type { ComponentChildren } from "preact";
import { t } from "../texts.ts";
import { Icon, type IconName } from "./icons.tsx";

/** The ply each of the four buttons leads to. */
interface Targets {
  readonly first: number;
  readonly back: number;
  readonly forward: number;
  readonly last: number;
}

interface Props {
  readonly at: number;
  readonly targets: Targets;
  readonly go: (at: number) => void;
  /** More buttons in the same row. */
  readonly children?: ComponentChildren;
}

export function StepButtons({ at, targets, go, children }: Props) {
  const steps: readonly [keyof Targets & IconName, boolean][] = [
    ["first", at !== targets.first],
    ["back", at !== targets.first],
    ["forward", at !== targets.last],
    ["last", at !== targets.last],
  ];
  return (
    <div class="steps bare">
      {steps.map(([step, isEnabled]) => (
        <IconButton key={step} icon={step} label={t(`web.step.${step}`)} isEnabled={isEnabled} act={() => go(targets[step])} />
      ))}
      {children}
    </div>
  );
}

export function FlipButton({ isFlipped, flip }: { readonly isFlipped: boolean; readonly flip: () => void }) {
  return <IconButton icon="flip" label={t("web.flip")} isPressed={isFlipped} act={flip} />;
}

interface ButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly isEnabled?: boolean;
  /** Whether a toggle button is on. */
  readonly isPressed?: boolean;
  readonly act: () => void;
}

export function IconButton({ icon, label, isEnabled = true, isPressed, act }: ButtonProps) {
  return (
    <button
      type="button"
      class={icon}
      aria-label={label}
      title={label}
      aria-pressed={isPressed}
      // A button that is really disabled loses the focus.
      aria-disabled={!isEnabled}
      onClick={() => isEnabled && act()}
    >
      <Icon name={icon} />
    </button>
  );
}

/** Returns the targets along the plies 0 to `last` of a game. */
export function stepTargets(at: number, last: number): Targets {
  return { first: 0, back: at - 1, forward: at + 1, last };
}
