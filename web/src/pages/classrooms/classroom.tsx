// The page of a class: for its host, its members, and those who are about to join.

import { render } from "preact";
import { classAddress, forgetClass, rememberClass } from "../../classroom_of_game.ts";
import { Host } from "./host.tsx";
import { Pupil } from "./pupil.tsx";
import { type Act, Room, shownCode } from "./room.ts";
import { failureText, RequestError } from "../../http.ts";
import { savePlayerName } from "../../invites.ts";
import type { ClassView } from "../../messages.ts";
import { repeat } from "../../repeat.ts";
import { LANGUAGE, t } from "../../texts.ts";
import { showErrorPage } from "../../ui/error_page.tsx";

const place = document.querySelector<HTMLElement>("[data-room]") as HTMLElement;
const room = new Room(decodeURIComponent(location.pathname.split("/").pop() ?? ""));
let view: ClassView | null = null;
let problem: string | null = null;
let isActing = false;
let lost = false;
/** Whether the host has deleted the class while it was shown. */
let isDeleted = false;

const act: Act = (action) => void perform(action);

function show(): void {
  if (!view) return;
  render(
    <>
      {problem && (
        <p class="failure class-failure" role="alert">
          {problem}
        </p>
      )}
      {view.is_host ? <Host view={view} room={room} act={act} /> : <Pupil view={view} room={room} act={act} />}
    </>,
    place,
  );
}

function accept(next: ClassView): void {
  view = next;
  rememberClass(next);
  const own = next.members.find(({ number }) => number === next.you);
  if (own && !next.is_host) savePlayerName(own.name);
}

/** Runs an action of the user unless one is running, and says why it fails. */
async function perform(action: () => Promise<ClassView | null>): Promise<void> {
  if (isActing || isDeleted) return;
  isActing = true;
  problem = null;
  try {
    const next = await action();
    if (next) accept(next);
  } catch (error) {
    if (isGone(error)) return showDeleted();
    problem = failureText(error);
  } finally {
    isActing = false;
  }
  show();
}

async function refresh(): Promise<void> {
  if (isActing || isDeleted) return;
  try {
    const next = await room.read();
    if (isActing) return;
    accept(next);
    if (lost) problem = null;
    lost = false;
  } catch (error) {
    if (isGone(error)) return showDeleted();
    problem = failureText(error);
    lost = true;
  }
  show();
}

/** Checks whether a class that was shown is gone. */
function isGone(error: unknown): boolean {
  return error instanceof RequestError && error.code === "unknown_class";
}

function showDeleted(): void {
  isDeleted = true;
  forgetClass(view?.code ?? room.code);
  render(null, place);
  const remedy = (
    <a class="button main" href={`/${LANGUAGE}/class`}>
      {t("page.class.title")}
    </a>
  );
  showErrorPage(place, t("page.class.deleted"), remedy);
}

/** Asks for the code again, where no class can be shown; if only the server did not answer, offers to try again. */
function CodeAgain({ isOffline }: { readonly isOffline: boolean }) {
  const open = (event: SubmitEvent) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget as HTMLFormElement).get("code")).trim();
    const address = classAddress(typed);
    // The same address with another fragment would only scroll.
    if (address === location.pathname) history.replaceState(null, "", address);
    if (address === location.pathname) location.reload();
    else location.assign(address);
  };
  if (isOffline) {
    return (
      <button type="button" class="main" onClick={() => location.reload()}>
        {t("web.action.retry")}
      </button>
    );
  }
  return (
    <form class="class-join stack fields" onSubmit={open}>
      <label>
        {t("page.class.code.again")}
        <input type="text" class="code" name="code" value={shownCode(room.code)} required maxLength={40} autocomplete="off" autocapitalize="characters" spellcheck={false} />
      </label>
      <button type="submit" class="main">
        {t("page.class.code.open")}
      </button>
    </form>
  );
}

try {
  const secret = /^#host=(.+)$/.exec(location.hash)?.[1];
  const first = secret ? await room.lead(secret) : await room.read();
  accept(first);
  history.replaceState(null, "", classAddress(first.code));
  place.replaceChildren();
  show();
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) void refresh();
  });
  void repeat(refresh);
} catch (error) {
  if (isGone(error)) forgetClass(room.code);
  const isOffline = error instanceof TypeError;
  if (isOffline) addEventListener("online", () => location.reload());
  showErrorPage(place, failureText(error), <CodeAgain isOffline={isOffline} />);
}
