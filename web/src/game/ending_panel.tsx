// The end of a game: how it ended for the user, what decided it, and how to go on.

import { useEffect, useRef, useState } from "preact/hooks";
import { IS_ALONE, pageAddress } from "../addresses.ts";
import { t } from "../texts.ts";
import { Icon, type IconName, PieceDrawing } from "../ui/icons.tsx";
import { gameTitle, otherSide } from "../variants.ts";
import { boardPicture, shareOrSave } from "./board_picture.ts";
import { type Decision, decisionOf, endingCaption, endingHeading, endingLead, ownSide } from "./ending.ts";
import { now } from "./played_game.ts";
import { Curve, type GameReview } from "./review.tsx";
import type { Action, ActionName, Snapshot } from "./source.ts";

interface Props {
  readonly snapshot: Snapshot;
  readonly act: (name: ActionName) => void;
  /** Shows a decisive moment on the board. */
  readonly show: (decision: Decision) => void;
  /** Opens the review. */
  readonly look: () => void;
  readonly review: GameReview;
  /** Shows the position after a ply. */
  readonly go: (at: number) => void;
  /** Whether the game has just ended before the user's eyes. */
  readonly isNew: boolean;
}

/** The actions by which a player goes on. The most natural is listed first. */
const NEXT = /^to_|next|rematch|new/;

export function EndingPanel({ snapshot, act, show, look, review, go, isNew }: Props) {
  const { outcome } = now(snapshot.line).state;
  const decision = useDecision(snapshot, review);
  /** What has become of the picture, as a sentence. */
  const [pictured, setPictured] = useState("");
  if (!outcome) return null;
  const next = snapshot.actions.find(({ name }) => NEXT.test(name));
  const others = snapshot.actions.filter(({ name }) => name === "new_game" || !NEXT.test(name));
  const begin = next?.name === "new_game" ? null : others.find(({ name }) => name === "new_game");
  const own = ownSide(snapshot);
  const isHarder = own !== null && own === snapshot.facts.harder && outcome.winner !== own;
  const share = async () => {
    setPictured(t("web.end.picture.begins"));
    try {
      const told = endingCaption(snapshot, outcome);
      const file = await shareOrSave(await boardPicture(told), `${gameTitle(snapshot.facts)} - ${told.result}`);
      setPictured(file === null ? "" : t("web.end.picture.saved", { file }));
    } catch {
      setPictured(t("web.end.no_picture"));
    }
  };
  return (
    <section class={`stack ending${isNew ? " new" : ""}`} aria-labelledby="ending">
      {outcome.winner && <PieceDrawing piece={outcome.winner === "attackers" ? "attacker" : "king"} />}
      <h2 id="ending" tabIndex={-1}>{endingHeading(snapshot, outcome)}</h2>
      <p class="lead">{endingLead(snapshot, outcome)}</p>
      {snapshot.isFirstWin && (
        <p class="pair first-win">
          <span class="peg on new" aria-hidden="true" />
          <span>
            <b>{t("web.end.first_win")}</b> {!IS_ALONE && <a href={pageAddress("lessons")}>{t("web.end.first_win.path")}</a>}
          </span>
        </p>
      )}
      {decision && (
        <p class="why">
          {decision.text}{" "}
          {review.points === null && (
            <button type="button" class="link" onClick={() => show(decision)}>
              {t("web.end.show")}
            </button>
          )}
        </p>
      )}
      <Curve
        snapshot={snapshot}
        review={review}
        decided={decision?.move ? decision.at + 1 : null}
        show={(at) => (decision?.at === at - 1 ? show(decision) : go(at))}
      />
      {isHarder && <p class="note">{t(`web.harder.${own}`)}</p>}
      <div class="stack onward">
        {next && <NextButton action={next} act={act} />}
        <p class="note" role="status">
          {snapshot.lost ?? snapshot.notice ?? (next?.name === "rematch" && own && t(`web.end.next.${otherSide(own)}`))}
        </p>
        <div class="ways">
          <Way icon="eye" label={t("web.end.review")} act={look} />
          {begin && <Way icon="plus" label={t("web.action.new_game")} act={() => act("new_game")} />}
          {!IS_ALONE && <Way icon="share" label={t("web.end.picture")} act={() => void share()} />}
        </div>
        <p class="note pictured" role="status">
          {pictured}
        </p>
        {others.filter((one) => one !== begin && one !== next).map(({ name, isEnabled }) => (
          <button key={name} type="button" class="quiet" disabled={!isEnabled} onClick={() => act(name)}>
            {t(`web.action.${name}`)}
          </button>
        ))}
      </div>
    </section>
  );
}

/** The main button, and beside it the refusal of an offer. A rematch swaps the sides. */
function NextButton({ action, act }: { readonly action: Action; readonly act: Props["act"] }) {
  const { name, isEnabled } = action;
  const isRematch = name === "rematch";
  return (
    <div class="buttons">
      <button type="button" class="main" aria-disabled={!isEnabled} onClick={() => isEnabled && act(name)}>
        {isRematch && <Icon name="swap" />}
        {t(isRematch ? "web.end.rematch" : `web.action.${name}`)}
      </button>
      {name === "accept_rematch" && (
        <button type="button" onClick={() => act("decline_rematch")}>
          {t("web.action.decline_rematch")}
        </button>
      )}
    </div>
  );
}

function Way({ icon, label, act }: { readonly icon: IconName; readonly label: string; readonly act: () => void }) {
  return (
    <button type="button" onClick={act}>
      <Icon name={icon} />
      {label}
    </button>
  );
}

/** Returns what decided the game. It is looked for after the end is shown, since it tries all moves of a position, and
 * again once the review knows the best one. */
function useDecision(snapshot: Snapshot, review: GameReview): Decision | null {
  const [decision, setDecision] = useState<Decision | null>(null);
  const latest = useRef({ snapshot, review });
  latest.current = { snapshot, review };
  useEffect(() => {
    const timer = setTimeout(() => setDecision(decisionOf(latest.current.snapshot, latest.current.review.best)));
    return () => clearTimeout(timer);
  }, [snapshot.line, review.state === "done"]);
  return decision;
}
