// The dialog to share and save a game that this browser keeps: a link that carries the moves, and the record.

import { pageAddress, sharedAddress } from "../addresses.ts";
import { headerLines, wrapped } from "../record_text.ts";
import type { Side } from "../rules.ts";
import { t } from "../texts.ts";
import { CopyField } from "../ui/copy_field.tsx";
import { downloadText } from "../ui/text_export.ts";
import { fileTitle, variantQuery } from "../variants.ts";
import { Dialog, Saving } from "./dialog.tsx";
import type { LocalGame } from "./local_game.ts";
import { entriesOf, now, type PlayedGame, plies } from "./played_game.ts";
import { callHeaders, dateOf, linkedMoves, replayQuery } from "./replay_link.ts";
import type { SavedGame } from "./saved_games.ts";

interface Props {
  readonly source: LocalGame;
  /** The ply that is shown; null while the dialog is closed. */
  readonly at: number | null;
  readonly close: () => void;
}

export function LocalShareDialog({ source, at, close }: Props) {
  const { line, seats } = source.snapshot;
  const names = { attackers: seats.attackers.recordName, defenders: seats.defenders.recordName };
  const save = () => downloadText(recordText(source.saved, line, names), `${fileTitle(source.saved.facts)}-${source.id}.tafl`, "text/plain");
  return (
    <Dialog isOpen={at !== null} close={close} kind="sharing" title={t("web.share")}>
      <p>{t("web.share.here")}</p>
      <CopyField label={t("web.share.game")} text={gameLink(source, plies(line).length)} />
      {at !== null && at < plies(line).length && <CopyField label={t("web.share.ply")} text={gameLink(source, at)} />}
      <Saving>
        <button type="button" onClick={save}>
          {t("web.share.record")}
        </button>
      </Saving>
    </Dialog>
  );
}

/** Returns an address that carries the rules, the first moves, the players and the end: the analysis page replays it. */
function gameLink({ setup, saved, snapshot: { line, seats } }: LocalGame, count: number): string {
  const all = plies(line);
  const ended = count === all.length ? now(line).state.outcome : null;
  const players = [seats.attackers.recordName, seats.defenders.recordName] as const;
  const query = `${variantQuery(setup.variant, setup, setup.start)}&${replayQuery({ players, date: dateOf(saved.at), calls: saved.facts.calls ? saved.mode : "off", ended })}`;
  return sharedAddress(pageAddress(`analysis?${query}#${linkedMoves(entriesOf(line), count)}`));
}

/** Returns the record of a leg in the format of Hnefi (docs/reference/formats.md), without a server. */
function recordText(game: SavedGame, line: PlayedGame, names: Readonly<Record<Side, string>>): string {
  const { facts, start, mode, legCount, legs, at } = game;
  const { outcome } = now(line).state;
  const result = outcome ? (outcome.winner ?? "draw") : "*";
  const switches = Object.entries(facts.switches).map(([key, value]) => `${key}=${value}`);
  const headers: [string, string | null | undefined][] = [
    ["Attackers", names.attackers],
    ["Defenders", names.defenders],
    ["Date", dateOf(at)],
    ["Variant", facts.id],
    ["Rules", facts.hash],
    ["Switches", switches.join("; ")],
    ["Title", facts.title],
    ["Start", start],
    ...Object.entries(callHeaders(facts.calls, mode)),
    ["Match", legCount > 1 ? "two_legs" : "single"],
    ["Leg", String(legs.length)],
    ["Result", result],
    ["Reason", outcome?.reason],
  ];
  return `${headerLines(headers)}\n${wrapped([...units(line), result])}\n`;
}

/** Returns every move with its number, its captures and its call; a forced pass as "--". */
function units(line: PlayedGame): string[] {
  return entriesOf(line).flatMap(({ number, text, call, status, passed }) => {
    const unit = `${number}. ${text}${call ? `!${call}` : ""}`;
    return [unit, ...(status === "played" ? [] : [status]), ...(passed ? ["--"] : [])];
  });
}
