// The other player of one's own game at the server.

import type { OwnGame, SetAsideGame } from "../messages.ts";
import { computerName, t } from "../texts.ts";

/** Returns the name of the other player; for two people at one device, what that is. */
export function opponentOf({ level, names, you, opponent }: OwnGame | SetAsideGame): string {
  if (level) return computerName(level);
  if (opponent === "same_device") return t("page.table.title");
  const other = names.find((_, player) => !you.includes(player));
  return other || t(other === null ? "web.nobody" : "web.your_opponent");
}
