// A kiosk that nobody touches: a warning that any touch cancels, then the start.

const WARNED_S = 10;
const TOUCHES = ["pointerdown", "pointermove", "keydown", "wheel"] as const;

/** Calls `end` after so many seconds without a touch, once there was one; a dialog counts the last ten. */
export function returnWhenIdle(seconds: number, dialog: HTMLDialogElement, end: () => void): void {
  const count = dialog.querySelector("[data-left]") as HTMLElement;
  let left = 0;
  for (const touch of TOUCHES) {
    addEventListener(touch, () => (left = seconds), { capture: true, passive: true });
  }
  // It covers the page, so that the touch that ends the warning does nothing else.
  dialog.addEventListener("click", () => dialog.close());
  setInterval(() => {
    if (left === 0) return;
    left -= 1;
    count.textContent = String(left);
    if (left === 0) end();
    else if (left > WARNED_S) dialog.close();
    else if (!dialog.open) dialog.showModal();
  }, 1000);
}
