// The rules that are being made: what is wished, what the server says of it, and what was before.

import { asked, troubleOf } from "../analysis/records.tsx";
import type { RulesRequest, RulesView } from "../messages.ts";
import { LANGUAGE, readJson } from "../texts.ts";

/** What somebody wishes: a variant, and the rules that are to be otherwise. */
export interface Draft {
  readonly variant: string;
  readonly wishes: Readonly<Record<string, string>>;
  readonly name: string;
}

const WAIT_MS = 120;
const MOST_STEPS = 200;

/** Keeps the wishes and asks the server what comes of them, a moment after the last change. */
export class Rulebook {
  draft: Draft;
  /** What the server said last, and the last of it without faults. */
  view: RulesView;
  sound: RulesView | null;
  /** What was sound before that: sentences that it did not have are new. */
  before: RulesView | null = null;
  /** The rule that was changed last; empty for none. */
  changed = "";
  trouble: string | null = null;
  readonly #told = new Set<() => void>();
  readonly #steps: Draft[] = [];
  #timer = 0;
  #asking: AbortController | null = null;
  /** The rule whose change is not answered yet; empty for a change of many, null for none. */
  #open: string | null = null;

  constructor(variant: string, name: string) {
    this.view = readJson<RulesView>("view") as RulesView;
    this.sound = this.view.ok ? this.view : null;
    this.draft = { variant, name, wishes: this.view.switches };
  }

  get canUndo(): boolean {
    return this.#steps.length > 0;
  }

  /** Whether the server has answered what was changed last. */
  get isSettled(): boolean {
    return this.#open === null;
  }

  /** Waits until it has. */
  async settled(): Promise<void> {
    if (this.isSettled) return;
    await new Promise<void>((done) => {
      const end = this.subscribe(() => {
        if (!this.isSettled) return;
        end();
        done();
      });
    });
  }

  subscribe(told: () => void): () => void {
    this.#told.add(told);
    return () => this.#told.delete(told);
  }

  /** Changes rules; to the first of them the others give way. */
  change(wishes: Readonly<Record<string, string>>, { isTyping = false } = {}): void {
    const changed = Object.keys(wishes)[0] ?? "";
    // A whole rule takes the place of its parts.
    const kept = Object.entries(this.draft.wishes).filter(([key]) => !(key.split(".")[0] as string in wishes));
    const draft = { ...this.draft, wishes: { ...Object.fromEntries(kept), ...wishes } };
    // What is typed into one field is one step back.
    if (isTyping && changed === this.changed) this.#take(draft, changed);
    else this.#go(draft, changed);
  }

  rename(name: string): void {
    this.draft = { ...this.draft, name };
    // A name changes no rule: what was changed just before is still what the others give way to.
    this.#askSoon(this.#open ?? "");
  }

  undo(): void {
    const last = this.#steps.pop();
    if (last) this.#take(last, "");
  }

  /** Begins with other rules. */
  begin(draft: Draft): void {
    this.#go(draft, "");
  }

  /** The address of the page with these rules. */
  get address(): string {
    const { name } = this.draft;
    return `${location.pathname}?${this.view.query}${name ? `&${new URLSearchParams({ name })}` : ""}`;
  }

  #go(draft: Draft, changed: string): void {
    this.#steps.push(this.draft);
    if (this.#steps.length > MOST_STEPS) this.#steps.shift();
    this.#take(draft, changed);
  }

  #take(draft: Draft, changed: string): void {
    this.draft = draft;
    this.#askSoon(changed);
  }

  #askSoon(changed: string): void {
    clearTimeout(this.#timer);
    this.#asking?.abort();
    this.changed = changed;
    this.#open = changed;
    this.#timer = window.setTimeout(() => void this.#ask(changed), WAIT_MS);
    this.#tell();
  }

  async #ask(changed: string): Promise<void> {
    const asking = (this.#asking = new AbortController());
    const { variant, wishes, name } = this.draft;
    const request: RulesRequest = { variant, switches: { ...wishes }, changed, name, lang: LANGUAGE };
    try {
      const view = (await (await asked("/api/rules", request, asking.signal)).json()) as RulesView;
      if (asking.signal.aborted) return;
      this.trouble = null;
      this.view = view;
      if (view.ok) [this.before, this.sound] = [this.sound, view];
      history.replaceState(null, "", this.address);
    } catch (error) {
      if (asking.signal.aborted) return;
      this.trouble = troubleOf(error);
    }
    this.#open = null;
    this.#tell();
  }

  #tell(): void {
    for (const told of this.#told) told();
  }
}
