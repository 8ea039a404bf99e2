// A dialog over the page of a game, with a heading, and a button that closes it.

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../texts.ts";

interface Props {
  readonly isOpen: boolean;
  readonly close: () => void;
  /** What is special about it, as a class. */
  readonly kind?: "keys" | "sharing";
  readonly title: string;
  readonly children: ComponentChildren;
  /** Buttons beside the one that closes it. */
  readonly buttons?: ComponentChildren;
}

export function Dialog({ isOpen, close, kind, title, children, buttons }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  const heading = `${kind ?? "settings"}-title`;
  return (
    <dialog ref={dialog} class={`settings ${kind ?? ""}`} aria-labelledby={heading} onClose={close}>
      <form class="stack" method="dialog">
        <h2 id={heading}>{title}</h2>
        {children}
        <div class="buttons">
          {buttons}
          <button type="submit">{t("web.close")}</button>
        </div>
      </form>
    </dialog>
  );
}

/** The part of a dialog in which a game is saved as files. */
export function Saving({ children }: Pick<Props, "children">) {
  return (
    <div class="saving">
      <h3 id="sharing-save">{t("web.share.save")}</h3>
      <div class="buttons" role="group" aria-labelledby="sharing-save">
        {children}
      </div>
    </div>
  );
}
