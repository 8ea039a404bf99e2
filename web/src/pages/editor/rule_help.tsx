// Help for the question about a rule: what each answer means, and an animated example.

import { render } from "preact";
import { useRef, useState } from "preact/hooks";
import type { AnswersResponse } from "../../messages.ts";
import { t } from "../../texts.ts";
import { RuleExample } from "./rule_example.tsx";
import { useRuleQuery } from "./rule_query.ts";
import type { RulesDraft } from "./rules_draft.ts";

type Help = "answers" | "example";

/** Adds buttons for help to the questions. One help is open at a time. */
export function addRuleHelp(place: HTMLElement, draft: RulesDraft): void {
  for (const fieldset of place.querySelectorAll<HTMLFieldSetElement>("[data-examples], [data-answers]")) {
    const { rule: leaf = "", examples, answers } = fieldset.dataset;
    const helps: Help[] = [];
    if (answers !== undefined) helps.push("answers");
    if (examples !== undefined) helps.push("example");
    const container = document.createElement("div");
    container.className = "rule-help";
    fieldset.append(container);
    render(<RuleHelp draft={draft} leaf={leaf} title={titleOf(fieldset)} helps={helps} />, container);
  }
}

function titleOf(fieldset: HTMLFieldSetElement): string {
  return fieldset.querySelector("legend")?.firstChild?.textContent?.trim() ?? "";
}

/** Closes the help that is open, before another one opens. */
let closeOther: (() => void) | null = null;

interface Props {
  readonly draft: RulesDraft;
  readonly leaf: string;
  readonly title: string;
  readonly helps: readonly Help[];
}

function RuleHelp({ draft, leaf, title, helps }: Props) {
  const [open, setOpen] = useState<Help | null>(null);
  const close = useRef(() => setOpen(null));
  const toggle = (help: Help) => {
    if (closeOther !== close.current) closeOther?.();
    closeOther = open === help ? null : close.current;
    setOpen(open === help ? null : help);
  };
  return (
    <>
      <div class="help-buttons">
        {helps.map((help) => (
          <button
            key={help}
            type="button"
            class="help-button"
            aria-expanded={open === help}
            aria-label={t(`web.editor.${help}.of`, { title })}
            onClick={() => toggle(help)}
          >
            {t(`web.editor.${help}`)}
          </button>
        ))}
      </div>
      {open === "example" && <RuleExample draft={draft} leaf={leaf} />}
      {open === "answers" && <Meanings draft={draft} leaf={leaf} />}
    </>
  );
}

/** Shows the rule with each of its answers, beside the other rules of the draft. */
function Meanings({ draft, leaf }: Pick<Props, "draft" | "leaf">) {
  const { answer, failure } = useRuleQuery<AnswersResponse>(draft, leaf, "/api/rules/answers");
  return (
    <div role="status">
      {answer ? (
        <dl class="meanings">
          {answer.answers.map(({ words, text }) => (
            <div key={words}>
              <dt>{words}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <p>{failure ?? t("web.waiting")}</p>
      )}
    </div>
  );
}
