// The names of two people at one device, asked for until the first move.

import { t } from "../texts.ts";
import { sideName } from "../variants.ts";
import type { HotSeat } from "./hotseat.ts";
import type { Snapshot } from "./source.ts";

const MOST_LETTERS = 30;
const PLAYERS = [0, 1] as const;

interface Props {
  readonly source: HotSeat;
  readonly snapshot: Snapshot;
}

export function Names({ source, snapshot }: Props) {
  if (source.saved.legs.length > 1 || snapshot.line.played.length > 0) return null;
  const attackers = source.saved.legs[0]?.attackers ?? 0;
  return (
    <fieldset class="names">
      <legend>{t("web.names")}</legend>
      {PLAYERS.map((player) => (
        <label key={player}>
          <span>{sideName(player === attackers ? "attackers" : "defenders")}</span>
          <input
            type="text"
            maxLength={MOST_LETTERS}
            autocomplete="off"
            value={source.saved.names?.[player] ?? ""}
            onInput={(event) => source.rename(player, event.currentTarget.value.trim())}
          />
        </label>
      ))}
    </fieldset>
  );
}
