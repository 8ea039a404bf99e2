// The rules in words as they stand, what is new in them marked; how near they are to others.

import type { ClauseView, RulesSection, RulesView } from "../messages.ts";
import { LANGUAGE, t } from "../texts.ts";

interface Props {
  readonly view: RulesView;
  /** What was there before the last change. */
  readonly before: RulesView | null;
  /** Whether these are rules of before: those that are wished contradict each other. */
  readonly isOld: boolean;
}

export function RulesInWords({ view, before, isOld }: Props) {
  const known = new Set(before?.sections.flatMap((section) => section.clauses.map((clause) => clause.text)));
  const isFresh = (text: string) => before !== null && !known.has(text);
  return (
    <section class={isOld ? "in-words old" : "in-words"} aria-labelledby="in-words">
      <h2 id="in-words">{t("page.editor.words")}</h2>
      {isOld && <p class="note">{t("page.editor.words.old")}</p>}
      {view.like && (
        <p>
          {view.like.message} <a href={`/${LANGUAGE}/rules/${view.like.variant}`}>{t("page.editor.like.look")}</a>
        </p>
      )}
      {view.sections.some((section) => section.clauses.some((clause) => clause.differs)) && (
        <p class="note">{t("page.editor.words.key")}</p>
      )}
      {view.sections.map((section) => (
        <Section key={section.id} section={section} isFresh={isFresh} />
      ))}
    </section>
  );
}

function Section({ section, isFresh }: { readonly section: RulesSection; readonly isFresh: (text: string) => boolean }) {
  const clauses = section.clauses.map((clause) => <Clause key={clause.text} clause={clause} isFresh={isFresh(clause.text)} />);
  return (
    <section>
      <h3>{section.heading}</h3>
      {section.is_list ? (
        <ul class="ends">
          {clauses.map((clause) => (
            <li key={clause.key}>{clause}</li>
          ))}
        </ul>
      ) : (
        <p>{clauses}</p>
      )}
    </section>
  );
}

function Clause({ clause, isFresh }: { readonly clause: ClauseView; readonly isFresh: boolean }) {
  if (!clause.differs) return <span>{clause.text} </span>;
  return (
    <>
      <mark class={isFresh ? "fresh" : ""}>{clause.text}</mark>{" "}
    </>
  );
}
