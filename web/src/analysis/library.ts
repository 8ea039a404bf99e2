// What the library of games has about a position, asked for when it has been looked at for a moment.

import { useEffect, useState } from "preact/hooks";
import type { Failure, OpeningsRequest, OpeningsView, RecordView } from "../messages.ts";
import { t } from "../texts.ts";
import { asked, readRecords, troubleOf } from "./records.tsx";
import type { Study } from "./study.ts";

const PAUSE_MS = 200;
const KEY = "hnefi.openings";

export interface Played {
  readonly view: OpeningsView | null;
  /** The position that the view is about: while another is looked at, it is old. */
  readonly position: string | null;
  readonly trouble: string | null;
}

export interface Wish {
  readonly isOpen: boolean;
  readonly variantOnly: boolean;
}

/** How the panel was left. */
export function keptWish(): Wish {
  const [fold, which] = (localStorage.getItem(KEY) ?? "").split(" ");
  return { isOpen: fold === "open", variantOnly: which !== "all" };
}

export function keepWish({ isOpen, variantOnly }: Wish): void {
  try {
    localStorage.setItem(KEY, `${isOpen ? "open" : "folded"} ${variantOnly ? "variant" : "all"}`);
  } catch {
    // A browser that keeps nothing has it until the page is left.
  }
}

/** Asks about a position, or about none; answers that come too late are dropped. */
export function useOpenings({ facts }: Study, position: string | null, variantOnly: boolean): Played {
  const [played, setPlayed] = useState<Played>({ view: null, position: null, trouble: null });
  useEffect(() => {
    if (position === null) return;
    const ending = new AbortController();
    const request = { variant: facts.id, switches: { ...facts.switches }, position, variant_only: variantOnly };
    const ask = async () => {
      try {
        const view = await openingsAt(request, ending.signal);
        if (!ending.signal.aborted) setPlayed({ view, position, trouble: null });
      } catch (error) {
        if (!ending.signal.aborted) setPlayed({ view: null, position, trouble: troubleOf(error) });
      }
    };
    const timer = setTimeout(() => void ask(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [facts, position, variantOnly]);
  return played;
}

async function openingsAt(request: OpeningsRequest, signal: AbortSignal): Promise<OpeningsView> {
  return (await asked("/api/openings", request, signal)).json() as Promise<OpeningsView>;
}

/** A game of the library, as a record that the server has read. */
export async function libraryGame(id: number, study: Study): Promise<RecordView> {
  const response = await fetch(`/api/library/games/${id}`);
  if (!response.ok) throw new Error(((await response.json()) as Partial<Failure>).message ?? t("web.rejected"));
  const { games, faults } = await readRecords(await response.text(), study);
  const [game] = games;
  if (!game) throw new Error(faults[0]?.message ?? t("web.rejected"));
  return game;
}
