// The rules that are being edited: what the user has changed, what the server answered, and how to undo.

import { failureText, postJson } from "../../http.ts";
import type { RulesRequest, RulesView } from "../../messages.ts";
import { LANGUAGE, readJson } from "../../texts.ts";
import { localView } from "./local_view.ts";

/** What the user has entered: a variant, values of rules by key, and a name. */
interface DraftInput {
  readonly variant: string;
  readonly changes: Readonly<Record<string, string>>;
  readonly name: string;
}

/** The delay before a request, so that quick changes are sent as one. */
const DELAY_MS = 120;
const MOST_UNDO_STEPS = 200;

export class RulesDraft {
  input: DraftInput;
  /** The last answer of the server. */
  view: RulesView;
  /** The last answer without faults. */
  playable: RulesView | null;
  /** The answer without faults before that: what differs from it is new. */
  previous: RulesView | null = null;
  isRenamed = false;
  /** The rule that was changed last; empty for none. */
  changed = "";
  failure: string | null = null;
  readonly #listeners = new Set<() => void>();
  readonly #undoSteps: DraftInput[] = [];
  #timer = 0;
  #request: AbortController | null = null;
  /** The rule whose change the server has not answered yet; empty for several rules, null for none. */
  #unanswered: string | null = null;

  constructor(variant: string, name: string) {
    this.view = readJson<RulesView>("view") as RulesView;
    this.playable = this.view.ok ? this.view : null;
    this.input = { variant, name, changes: this.view.switches };
  }

  get canUndo(): boolean {
    return this.#undoSteps.length > 0;
  }

  /** Whether the server has answered the last change. */
  get isSettled(): boolean {
    return this.#unanswered === null;
  }

  /** Waits until the server has answered the last change. */
  async settled(): Promise<void> {
    if (this.isSettled) return;
    await new Promise<void>((resolve) => {
      const unsubscribe = this.subscribe(() => {
        if (!this.isSettled) return;
        unsubscribe();
        resolve();
      });
    });
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Changes rules. Where rules contradict the first of them, the server adapts those. */
  change(changes: Readonly<Record<string, string>>, { isTyping = false } = {}): void {
    const changed = Object.keys(changes)[0] ?? "";
    // A whole rule replaces its parts.
    const kept = Object.entries(this.input.changes).filter(([key]) => !(key.split(".")[0] as string in changes));
    const input = { ...this.input, changes: { ...Object.fromEntries(kept), ...changes } };
    // All that is typed into one input is one step to undo.
    if (isTyping && changed === this.changed) this.set(input, changed);
    else this.setUndoable(input, changed);
  }

  rename(name: string): void {
    this.input = { ...this.input, name };
    this.isRenamed = true;
    // A name changes no rule: an unanswered change of a rule still comes first.
    this.#scheduleRequest(this.#unanswered ?? "");
  }

  undo(): void {
    const last = this.#undoSteps.pop();
    if (last) this.set(last);
  }

  /** The address of the editor with these rules. */
  get address(): string {
    return `${location.pathname}?${this.query}`;
  }

  /** The rules with their name, as the query of a page. */
  get query(): string {
    const { name } = this.input;
    return `${this.view.query}${name ? `&${new URLSearchParams({ name })}` : ""}`;
  }

  /** Replaces the rules; `changed` is the rule that was changed, empty for several. */
  setUndoable(input: DraftInput, changed = ""): void {
    this.#undoSteps.push(this.input);
    if (this.#undoSteps.length > MOST_UNDO_STEPS) this.#undoSteps.shift();
    this.set(input, changed);
  }

  /** As `setUndoable`, without a step to undo. */
  set(input: DraftInput, changed = ""): void {
    this.input = input;
    this.#scheduleRequest(changed);
  }

  #scheduleRequest(changed: string): void {
    clearTimeout(this.#timer);
    this.#request?.abort();
    this.changed = changed;
    this.#unanswered = changed;
    this.#timer = window.setTimeout(() => void this.#send(changed), DELAY_MS);
    this.#notify();
  }

  async #send(changed: string): Promise<void> {
    const { signal } = (this.#request = new AbortController());
    const { variant, changes, name } = this.input;
    const request: RulesRequest = { variant, switches: { ...changes }, changed, name, lang: LANGUAGE };
    try {
      const view = await postJson<RulesView>("/api/rules", request, signal).catch((error: unknown) => {
        // `fetch` rejects with a TypeError if the server cannot be reached.
        if (!(error instanceof TypeError)) throw error;
        return localView(variant, changes, this.view, error);
      });
      if (signal.aborted) return;
      this.failure = null;
      this.view = view;
      if (view.ok) [this.previous, this.playable] = [this.playable, view];
      history.replaceState(null, "", this.address);
    } catch (error) {
      if (signal.aborted) return;
      this.failure = failureText(error);
    }
    this.#unanswered = null;
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
