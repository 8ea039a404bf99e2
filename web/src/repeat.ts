// Requests that are repeated as long as a page is open.

const REPEAT_MS = 3_000;
const HIDDEN_MS = 15_000;

/** Repeats an action for ever, less often while the page is hidden. */
export async function repeat(action: () => Promise<void>): Promise<void> {
  for (;;) {
    await new Promise((done) => setTimeout(done, document.hidden ? HIDDEN_MS : REPEAT_MS));
    await action();
  }
}
