// The openings of a position from the server's library, and the stored state of their panel.

import { useEffect, useState } from "preact/hooks";
import { failureText, getText, postJson } from "../../http.ts";
import type { OpeningsRequest, OpeningsView, RecordView } from "../../messages.ts";
import { storedText, storeText } from "../../storage.ts";
import { t } from "../../texts.ts";
import { readRecords } from "./record_files.ts";
import type { Study } from "./study.ts";

/** The delay before a request, for users who step through a game. */
const DELAY_MS = 200;
const KEY = "hnefi.openings";

export interface Openings {
  readonly view: OpeningsView | null;
  /** The position of the view, which may be an earlier one. */
  readonly position: string | null;
  readonly failure: string | null;
}

interface PanelState {
  readonly isOpen: boolean;
  readonly variantOnly: boolean;
}

export function storedPanelState(): PanelState {
  const [fold, which] = (storedText(KEY) ?? "").split(" ");
  return { isOpen: fold === "open", variantOnly: which !== "all" };
}

export function storePanelState({ isOpen, variantOnly }: PanelState): void {
  storeText(KEY, `${isOpen ? "open" : "folded"} ${variantOnly ? "variant" : "all"}`);
}

/** Gets the openings of a position, or nothing if null. A response that comes too late is dropped. */
export function useOpenings({ facts }: Study, position: string | null, variantOnly: boolean): Openings {
  const [openings, setOpenings] = useState<Openings>({ view: null, position: null, failure: null });
  useEffect(() => {
    if (position === null) return;
    const stop = new AbortController();
    const load = async () => {
      const switches = { ...facts.switches };
      const request: OpeningsRequest = { variant: facts.id, switches, position, variant_only: variantOnly };
      try {
        const view = await postJson<OpeningsView>("/api/openings", request, stop.signal);
        if (!stop.signal.aborted) setOpenings({ view, position, failure: null });
      } catch (error) {
        if (!stop.signal.aborted) setOpenings({ view: null, position, failure: failureText(error) });
      }
    };
    const timer = setTimeout(() => void load(), DELAY_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [facts, position, variantOnly]);
  return openings;
}

/** Gets a game of the library as a parsed record. */
export async function libraryGame(id: number, study: Study): Promise<RecordView> {
  const text = await getText(`/api/library/games/${id}`);
  const { games, faults } = await readRecords(text, study);
  const [game] = games;
  if (!game) throw new Error(faults[0]?.message ?? t("web.rejected"));
  return game;
}
