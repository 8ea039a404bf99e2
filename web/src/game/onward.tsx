// Going on from a place of a game: with the computer at the server, or two at this device.

import { useState } from "preact/hooks";
import type { NewGameRequest } from "../messages.ts";
import type { Side } from "../rules.ts";
import { LANGUAGE, t } from "../texts.ts";
import { AnalyseLink } from "./analyselink.tsx";
import type { Ground } from "./analysis.ts";
import { goToGame } from "./making.ts";
import type { Table } from "./source.ts";

interface Props {
  readonly table: Table;
  readonly ground: Ground;
  readonly at: number;
  /** The side that one had, if one had one. */
  readonly side: Side | null;
  readonly level: number;
}

export function Onward({ table, ground, at, side, level }: Props) {
  const [trouble, setTrouble] = useState<string | null>(null);
  const state = table.line.games[at]?.state;
  // The last position is over by the rules; where the players ended it, it can be played on.
  const game = state?.turn ? state : null;
  if (!game) {
    return (
      <div class="onward">
        <p class="progress">{t("web.onward.where")}</p>
        <div class="buttons">
          <AnalyseLink table={table} start={ground.start} />
        </div>
      </div>
    );
  }
  const { variant, switches } = ground;
  const query = new URLSearchParams([
    ["variant", variant],
    ["position", game.position],
    ...Object.entries(switches).map(([key, value]) => [`rule.${key}`, value] as [string, string]),
  ]);
  const play = () => {
    const request: NewGameRequest = {
      variant,
      switches: { ...switches },
      start: game.position,
      opponent: "computer",
      level,
      side: side ?? game.turn ?? "attackers",
      calls: table.mode,
    };
    void goToGame(request, setTrouble);
  };
  return (
    <div class="onward">
      <p>{t("web.onward")}</p>
      <div class="buttons">
        <button type="button" onClick={play}>
          {t("web.onward.computer")}
        </button>
        <a class="button" href={`/${LANGUAGE}/table?${query}`}>
          {t("web.onward.here")}
        </a>
        <AnalyseLink table={table} start={ground.start} />
      </div>
      {trouble && (
        <p class="trouble" role="alert">
          {trouble}
        </p>
      )}
    </div>
  );
}
