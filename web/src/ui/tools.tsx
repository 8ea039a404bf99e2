// The tools with which a position is set up.

import type { Piece } from "../rules.ts";
import { t } from "../texts.ts";
import type { Tool } from "./board.tsx";
import { Choice, type ChoiceProps } from "./choice.tsx";
import { PieceDrawing } from "./icons.tsx";

/** The pieces of every game. */
export const PIECES: readonly Piece[] = ["attacker", "defender", "king"];

/** The choice of a tool: the rules editor has one more, for camps. */
export function Tools<Name extends Tool | "camp">(props: Omit<ChoiceProps<Name>, "name" | "kind" | "label">) {
  return <Choice {...props} name="tool" kind="tools" label={(tool) => <ToolName tool={tool} />} />;
}

function ToolName({ tool }: { readonly tool: Tool | "camp" }) {
  if (tool === "camp") return <span>{t("web.editor.tool.camp")}</span>;
  if (tool === "hand" || tool === "nothing") return <span>{t(`web.analysis.tool.${tool}`)}</span>;
  return (
    <>
      <PieceDrawing piece={tool} />
      <span class="unseen">{t("web.analysis.tool.put", { piece: t(`a_piece.${tool}`) })}</span>
    </>
  );
}
