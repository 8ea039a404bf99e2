// From a game to its analysis: the page is given the moves, and needs nothing else.

import { LANGUAGE, t } from "../texts.ts";
import { plies } from "./line.ts";
import type { Table } from "./source.ts";

interface Props {
  readonly table: Table;
  /** The position it began from, if it is not that of the rules. */
  readonly start: string | null;
}

export function AnalyseLink({ table, start }: Props) {
  const { facts, line } = table;
  const query = new URLSearchParams([["variant", facts.id]]);
  for (const [key, value] of Object.entries(facts.switches)) query.set(`rule.${key}`, value);
  if (start !== null) query.set("position", start);
  const moves = plies(line).map(({ from, to }) => `${from}-${to}`);
  return (
    <a class="button" href={`/${LANGUAGE}/analysis?${query}#${moves.join(".")}`}>
      {t("web.action.analyse")}
    </a>
  );
}
