// The edited rules as text, with changes marked, and the most similar variant.

import { HAS_SERVER, pageAddress } from "../../addresses.ts";
import type { ClauseView, RulesSection, RulesView } from "../../messages.ts";
import { t } from "../../texts.ts";

interface Props {
  readonly view: RulesView;
  /** The id of the variant that the rules are based on. */
  readonly base: string;
  /** Their name; empty if they have none. */
  readonly name: string;
  /** The rules before the last change. */
  readonly previous: RulesView | null;
  /** Whether the text is of earlier rules, as the current ones contradict each other. */
  readonly isOutdated: boolean;
}

export function RulesText({ view, base, name, previous, isOutdated }: Props) {
  const known = new Set(previous?.sections.flatMap((section) => section.clauses.map((clause) => clause.text)));
  const isNew = (text: string) => previous !== null && !known.has(text);
  return (
    <section class={isOutdated ? "rules-text outdated" : "rules-text"} aria-labelledby="rules-text">
      <h2 id="rules-text">{name ? t("web.lesson.rules", { name }) : t("page.editor.words")}</h2>
      {view.sections.length === 0 && HAS_SERVER && <p class="note">{t("web.editor.words.offline")}</p>}
      {/* A site of static files has the rules of its variants in words. */}
      {view.sections.length === 0 && !HAS_SERVER && (
        <p>
          {t("web.editor.words.here")} <a href={pageAddress(`rules/${base}`)}>{t("page.editor.like.look")}</a>
        </p>
      )}
      {isOutdated && view.sections.length > 0 && <p class="note">{t("page.editor.words.old")}</p>}
      {view.like && (
        <p>
          {view.like.message} <a href={pageAddress(`rules/${view.like.variant}`)}>{t("page.editor.like.look")}</a>
        </p>
      )}
      {view.sections.some((section) => section.clauses.some((clause) => clause.differs)) && (
        <p class="note">{t("page.editor.words.key")}</p>
      )}
      {view.sections.map((section) => (
        <Section key={section.id} section={section} isNew={isNew} />
      ))}
    </section>
  );
}

function Section({ section, isNew }: { readonly section: RulesSection; readonly isNew: (text: string) => boolean }) {
  const clauses = section.clauses.map((clause) => <Clause key={clause.text} clause={clause} isNew={isNew(clause.text)} />);
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

function Clause({ clause, isNew }: { readonly clause: ClauseView; readonly isNew: boolean }) {
  if (!clause.differs) return <span>{clause.text} </span>;
  return (
    <>
      <mark class={isNew ? "new" : ""}>{clause.text}</mark>{" "}
    </>
  );
}
