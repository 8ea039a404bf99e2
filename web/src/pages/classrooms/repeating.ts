// Repeats a request every few seconds, less often on a page that nobody sees.

const REPEAT_MS = 3_000;
const HIDDEN_MS = 15_000;

/** Repeats an action for ever, and at once when the page is seen again. */
export function whileSeen(action: () => Promise<void>): void {
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) void action();
  });
  const repeat = async () => {
    for (;;) {
      await new Promise((done) => setTimeout(done, document.hidden ? HIDDEN_MS : REPEAT_MS));
      await action();
    }
  };
  void repeat();
}
