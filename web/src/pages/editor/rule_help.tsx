// Help for the question about a rule: what each answer means, and an animated example.

import { render } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Arrow, BoardState, Mark } from "../../board/types.ts";
import type { AnswersResponse, ExampleAnswer, ExampleView } from "../../messages.ts";
import { t } from "../../texts.ts";
import { Board } from "../../ui/board.tsx";
import { readSettings } from "../../ui/settings.ts";
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
      <div class="row help-buttons">
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
        <dl class="stack meanings">
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

const BEFORE_MS = 1_500;
const AFTER_MS = 3_500;
/** After this many repetitions the example stops by itself. */
const MOST_ROUNDS = 4;

/** Shows an example of a rule: the position and the move as an arrow, then the move and what it does. */
function RuleExample({ draft, leaf }: Pick<Props, "draft" | "leaf">) {
  const { answer, failure } = useRuleQuery<ExampleAnswer>(draft, leaf, "/api/rules/example");
  if (!answer?.example) return <p role="status">{failure ?? t(answer ? "web.editor.example.none" : "web.waiting")}</p>;
  const { example } = answer;
  return (
    <div class="shown-example">
      <MovingBoard key={JSON.stringify(example)} example={example} />
      <p role="status">{example.text}</p>
    </div>
  );
}

function MovingBoard({ example }: { readonly example: ExampleView }) {
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches || !example.legal;
  const [isMoving, setMoving] = useState(!isStill);
  const [isPlayed, setPlayed] = useState(false);
  useEffect(() => {
    if (isMoving) return repeat(setPlayed, () => setMoving(false));
    return undefined;
  }, [isMoving]);
  const state = useMemo(() => (isPlayed ? stateAfter(example) : stateOf(example.position)), [isPlayed]);
  const arrows = useMemo(() => (isPlayed ? [] : [arrowOf(example)]), [isPlayed]);
  const marks = useMemo((): readonly Mark[] => (example.legal ? [] : [{ square: example.target, kind: "block" }]), []);
  return (
    <div class="moving">
      <Board
        shape={example.shape}
        state={state}
        showOptions={{ animate: isPlayed, announce: false }}
        look={{ ...readSettings(), coordinates: true }}
        words={{ "board.name": t("web.editor.example.board", { text: example.text }) }}
        movable="none"
        arrows={arrows}
        marks={marks}
      />
      {!isStill && (
        <button type="button" class="again" onClick={() => setMoving(!isMoving)}>
          {t(isMoving ? "web.editor.example.stop" : "web.editor.example.go")}
        </button>
      )}
    </div>
  );
}

/** Returns the arrow of the move. An illegal move is a hollow one that ends before a bar. */
function arrowOf({ origin, target, legal }: ExampleView): Arrow {
  return { from: origin, to: target, kind: legal ? "move" : "second" };
}

function stateOf(position: string): BoardState {
  return { position, turn: null };
}

function stateAfter({ position, after, origin, target, captures }: ExampleView): BoardState {
  const last = { from: origin, to: target, captures: captures.map((square) => ({ square })) };
  return { ...stateOf(after ?? position), last };
}

/** Plays the move and takes it back for some rounds; returns a function that stops it. */
function repeat(setPlayed: (isPlayed: boolean) => void, done: () => void): () => void {
  let timer = 0;
  let rounds = 0;
  const before = () => {
    setPlayed(false);
    timer = window.setTimeout(after, BEFORE_MS);
  };
  const after = () => {
    setPlayed(true);
    rounds += 1;
    timer = window.setTimeout(rounds < MOST_ROUNDS ? before : done, AFTER_MS);
  };
  before();
  return () => clearTimeout(timer);
}
