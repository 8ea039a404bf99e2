// The page of a game that this browser keeps.

import { useState } from "preact/hooks";
import { pageAddress } from "../addresses.ts";
import { DEFAULT_LEVEL } from "../new_game.ts";
import { t } from "../texts.ts";
import { showFailure } from "../ui/error_page.tsx";
import { renderInPlace } from "../ui/render.ts";
import { sideName } from "../variants.ts";
import { ComputerGame } from "./computer_game.ts";
import { Continuation } from "./continuation.tsx";
import { HotSeat } from "./hotseat.ts";
import type { LocalGame } from "./local_game.ts";
import { LocalShareDialog } from "./local_share.tsx";
import { GamePage } from "./page.tsx";
import { dateOf } from "./replay_link.ts";
import { nameInAddress } from "./requested_game.ts";
import { type SavedGame, savedGame, saveGame } from "./saved_games.ts";
import { type ActionName, type Snapshot, useSnapshot } from "./source.ts";

function LocalGamePage({ source, newGame }: { readonly source: LocalGame; readonly newGame: string }) {
  const [sharedPly, setSharedPly] = useState<number | null>(null);
  const snapshot = useSnapshot(source);
  const computer = source instanceof ComputerGame ? source : null;
  const leave = (name: ActionName) => {
    if (name !== "play_both" || !computer) return location.assign(newGame);
    saveGame(computer.forTwo());
    location.assign(pageAddress(`table#${computer.id}`));
  };
  return (
    <>
      <GamePage
        source={source}
        leave={leave}
        waiting={source instanceof HotSeat ? <Names source={source} snapshot={snapshot} /> : null}
        share={setSharedPly}
        setup={source.setup}
        after={(shown, at) => (
          <Continuation
            snapshot={shown}
            setup={source.setup}
            game={source.id}
            date={dateOf(source.saved.at)}
            at={at}
            side={computer?.side ?? null}
            level={computer?.level ?? DEFAULT_LEVEL}
          />
        )}
      />
      <LocalShareDialog source={source} at={sharedPly} close={() => setSharedPly(null)} />
    </>
  );
}

/** The names of two people at one device, asked for until the first move. */
function Names({ source, snapshot }: { readonly source: HotSeat; readonly snapshot: Snapshot }) {
  if (source.saved.legs.length > 1 || snapshot.line.played.length > 0) return null;
  const attackers = source.saved.legs[0]?.attackers ?? 0;
  return (
    <fieldset class="names">
      <legend>{t("web.names")}</legend>
      {([0, 1] as const).map((player) => (
        <label key={player}>
          <span>{sideName(player === attackers ? "attackers" : "defenders")}</span>
          <input
            type="text"
            maxLength={30}
            autocomplete="off"
            value={source.saved.names?.[player] ?? ""}
            onInput={(event) => source.rename(player, event.currentTarget.value.trim())}
          />
        </label>
      ))}
    </fieldset>
  );
}

/** Shows the game that the address names after Back and Forward, also a rematch that has not begun. */
function followHistory(source: LocalGame): void {
  const seen = new Map<string, SavedGame>();
  source.subscribe(() => seen.set(source.id, source.saved));
  addEventListener("popstate", () => {
    const id = location.hash.slice(1);
    const game = savedGame(id) ?? seen.get(id);
    if (game && id !== source.id) void source.load(game);
  });
}

/** Shows a game, and names it in the address; a sentence if it cannot be opened. */
export async function showLocalGame(open: () => Promise<LocalGame>): Promise<void> {
  const place = document.getElementById("main") as HTMLElement;
  const source = await open().catch((error: unknown) => showFailure(place, error));
  if (!source) return;
  nameInAddress(source);
  source.subscribe(() => nameInAddress(source));
  followHistory(source);
  renderInPlace(place, <LocalGamePage source={source} newGame={place.dataset["new"] ?? "/"} />);
}
