// What helps to answer the question about a rule: what each answer means, and an example that moves.

import { render } from "preact";
import { useRef, useState } from "preact/hooks";
import type { AnswersTold } from "../messages.ts";
import { t } from "../texts.ts";
import { ShownExample } from "./example.tsx";
import type { Rulebook } from "./rulebook.ts";
import { useTold } from "./told.ts";

type Help = "answers" | "example";

/** Gives every question its buttons; one help on the page is open at a time. */
export function offerHelps(place: HTMLElement, book: Rulebook): void {
  for (const fieldset of place.querySelectorAll<HTMLFieldSetElement>("[data-examples], [data-answers]")) {
    const { rule: leaf = "", examples, answers } = fieldset.dataset;
    const helps: Help[] = [];
    if (answers !== undefined) helps.push("answers");
    if (examples !== undefined) helps.push("example");
    const room = document.createElement("div");
    room.className = "example";
    fieldset.append(room);
    render(<Helps book={book} leaf={leaf} title={titleOf(fieldset)} helps={helps} />, room);
  }
}

function titleOf(fieldset: HTMLFieldSetElement): string {
  return fieldset.querySelector("legend")?.firstChild?.textContent?.trim() ?? "";
}

/** Closes the help that is open when another one is opened. */
let closeOther: (() => void) | null = null;

interface Props {
  readonly book: Rulebook;
  readonly leaf: string;
  readonly title: string;
  readonly helps: readonly Help[];
}

function Helps({ book, leaf, title, helps }: Props) {
  const [open, setOpen] = useState<Help | null>(null);
  const close = useRef(() => setOpen(null));
  const toggle = (help: Help) => {
    if (closeOther !== close.current) closeOther?.();
    closeOther = open === help ? null : close.current;
    setOpen(open === help ? null : help);
  };
  return (
    <>
      <div class="helps">
        {helps.map((help) => (
          <button
            key={help}
            type="button"
            class="show-me"
            aria-expanded={open === help}
            aria-label={t(`web.editor.${help}.of`, { title })}
            onClick={() => toggle(help)}
          >
            {t(`web.editor.${help}`)}
          </button>
        ))}
      </div>
      {open === "example" && <ShownExample book={book} leaf={leaf} />}
      {open === "answers" && <Meanings book={book} leaf={leaf} />}
    </>
  );
}

/** What the rule would be with each answer, beside the other rules as they are now. */
function Meanings({ book, leaf }: { readonly book: Rulebook; readonly leaf: string }) {
  const { told, trouble } = useTold<AnswersTold>(book, leaf, "/api/rules/answers");
  return (
    <div role="status">
      {told ? (
        <dl class="meanings">
          {told.answers.map(({ words, text }) => (
            <div key={words}>
              <dt>{words}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <p>{trouble ?? t("web.waiting")}</p>
      )}
    </div>
  );
}
