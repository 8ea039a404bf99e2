// The field for the code of a class again, where none can be shown.

import { LANGUAGE, t } from "../../texts.ts";
import { shownCode } from "./room.ts";

interface Props {
  readonly code: string;
  /** Whether the server could not be asked. */
  readonly isOffline: boolean;
}

/** Asks for the code again; if only the server did not answer, offers to try again. */
export function CodeAgain({ code, isOffline }: Props) {
  const open = (event: SubmitEvent) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget as HTMLFormElement).get("code")).trim();
    const address = `/${LANGUAGE}/class/${encodeURIComponent(typed)}`;
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
        <input type="text" class="code" name="code" value={shownCode(code)} required maxLength={40} autocomplete="off" autocapitalize="characters" spellcheck={false} />
      </label>
      <button type="submit" class="main">
        {t("page.class.code.open")}
      </button>
    </form>
  );
}
