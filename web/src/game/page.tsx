// The game page: the board, and beside it players, announcements, moves, counters and buttons.

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Arrow, Mark } from "../board/types.ts";
import type { Move, Side } from "../rules.ts";
import { plural, t } from "../texts.ts";
import { useKeptFocus } from "../ui/announcer.ts";
import { type Call, CallChoice } from "../ui/call_choice.tsx";
import { Choice } from "../ui/choice.tsx";
import { endMarks } from "../ui/game_end.ts";
import { useKeys } from "../ui/keys.ts";
import { refusalOf } from "../ui/refusals.ts";
import { useSettings } from "../ui/settings.ts";
import { FlipButton, IconButton, StepButtons, stepTargets } from "../ui/step_buttons.tsx";
import { gameTitle, otherSide, sideName } from "../variants.ts";
import { Actions } from "./actions.tsx";
import { AnnouncementBox, announcementAt } from "./announcement.tsx";
import { GameBoard } from "./board.tsx";
import { useBoardZoom } from "./board_zoom.ts";
import { Counters, kingTexts } from "./counters.tsx";
import { now, visibleState } from "./played_game.ts";
import { scoreText } from "./match.ts";
import { MoveList } from "./move_list.tsx";
import { Player } from "./player.tsx";
import { KeysDialog, SettingsDialog } from "./settings_dialog.tsx";
import { useLowTime, useSounds } from "./sound_effects.ts";
import { EndingPanel } from "./ending_panel.tsx";
import { type Decision, endingHeading, ownSide } from "./ending.ts";
import { Review, useReview } from "./review.tsx";
import { type ActionName, type GameSetup, type GameSource, type Snapshot, useSnapshot } from "./source.ts";
import { earlierPosition, isBeginning } from "./voice.ts";

interface Props {
  readonly source: GameSource;
  /** Runs an action that leads to another page. */
  readonly leave: (name: ActionName) => void;
  /** The content above the moves until a second player has joined. */
  readonly waiting?: ComponentChildren;
  /** The rules and the start of a game that the engine may review once it is over. */
  readonly setup?: GameSetup;
  /** What follows the review. */
  readonly after?: (snapshot: Snapshot, at: number) => ComponentChildren;
  /** The ply that is shown first; the last one if null. */
  readonly opened?: number | null;
  /** Opens the dialog to share the ply that is shown. */
  readonly share?: (at: number) => void;
}

const LEAVING: readonly ActionName[] = ["new_game", "to_rematch", "to_class", "to_people", "play_both"];

export function GamePage({ source, leave, waiting, setup, after, opened = null, share }: Props) {
  const snapshot = useSnapshot(source);
  const [settings, change] = useSettings();
  const [viewed, setViewed] = useState<number | null>(opened);
  // The user's own side is near, against the computer and a friend; the board is turned when the user asks.
  const [isTurned, setTurned] = useState(false);
  const isFlipped = (ownSide(snapshot) === "defenders") !== isTurned;
  const [dialog, setDialog] = useState<"settings" | "keys" | null>(null);
  const [call, setCall] = useState<Call>(0);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [pending, setPending] = useState<Move | null>(null);
  const { facts, line, mode, score, hint } = snapshot;
  const notice = snapshot.lost ?? snapshot.notice;
  const last = line.games.length - 1;
  const shownLine = useRef(line);
  // A new move is shown at once, also to those who look at an earlier position.
  const at = shownLine.current === line ? Math.min(viewed ?? last, last) : last;

  const go = (to: number) => {
    setRefusal(null);
    setViewed(to >= last ? null : Math.max(0, to));
  };
  const keys = {
    ArrowLeft: () => go(at - 1),
    ArrowRight: () => go(at + 1),
    Home: () => go(0),
    End: () => go(last),
    f: () => setTurned(!isTurned),
    "?": () => setDialog("keys"),
  };
  useKeys(keys, isForPart);
  const [isReviewed, setReviewed] = useState(false);
  /** The move that was missed at the decisive moment, while the user looks back at it. */
  const [missed, setMissed] = useState<Decision | null>(null);
  const wasPlayed = useRef(false);
  const review = useReview(setup, snapshot);
  // A layout effect: a later one would undo what the user has already chosen for the next move.
  useLayoutEffect(() => {
    if (shownLine.current === line) return;
    shownLine.current = line;
    setViewed(null);
    setRefusal(null);
    setCall(0);
    setReviewed(false);
    setMissed(null);
  }, [line]);

  const move = (played: string) => {
    setRefusal(null);
    return refusalOf(() => source.move(played, call));
  };
  useSounds(snapshot, settings.sounds);
  useLowTime(snapshot, settings.sounds);
  useTabTitle(snapshot);
  const state = visibleState(line, at);
  const zoom = useBoardZoom(now(line).rules.facts.size, state.last?.to ?? state.king);
  const arrows = useMemo((): readonly Arrow[] => (hint ? [{ ...hint, kind: "move" }] : NO_ARROWS), [hint]);
  const lastState = now(line).state;
  const marks = useMemo(() => endMarks(lastState), [lastState]);
  const { outcome } = lastState;
  const isDone = outcome !== null;
  useEffect(() => {
    if (isDone && wasPlayed.current) review.begin(true);
  }, [isDone, line]);
  if (!isDone) wasPlayed.current = true;

  const announcement = announcementAt(snapshot, at);
  const near = isFlipped ? "defenders" : "attackers";
  const isCalling = mode === "manual" && facts.calls && state.turn === "defenders" && at === last;
  const closeDialog = (name: "settings" | "keys") => () => setDialog((open) => (open === name ? null : open));
  const act = (name: ActionName) => (LEAVING.includes(name) ? leave(name) : source.act(name));
  const isEnding = isDone && !isReviewed && at === last;
  useKeptFocus(isBeginning(snapshot));
  const isCalled = (announcement?.roads ?? 0) > 0;
  const king = outcome || snapshot.isWaiting ? [] : kingTexts(isCalled ? { ...state, roads: [] } : state, ownSide(snapshot));
  const past = at !== last && !isDone && earlierPosition();
  const announced = isEnding
    ? [`${endingHeading(snapshot, outcome)}.`, announcement?.title]
    : [isReviewed && `${t("web.review")}.`, past, announcement?.title, announcement?.words, ...king, snapshot.lost, snapshot.notice];
  return (
    <>
      <h1 class="unseen" tabIndex={-1}>{gameTitle(facts)}</h1>
      <div
        class={zoom.isZoomed ? "game-board zoomed" : "game-board"}
        ref={zoom.box}
        style={zoom.isZoomed ? { "--zoomed": zoom.width } : {}}
      >
        <GameBoard
          snapshot={snapshot}
          at={at}
          settings={settings}
          isFlipped={isFlipped}
          isSmall={zoom.isSmall && !zoom.isZoomed}
          marks={at === last ? marks : NO_MARKS}
          arrows={missed?.at === at ? missedArrows(missed) : at === last ? arrows : NO_ARROWS}
          move={move}
          refused={setRefusal}
          tapped={setRefusal}
          pending={setPending}
          announced={announced}
        />
      </div>
      {isEnding && (
        <div class="beside-column ended cloth">
          <LegChoice snapshot={snapshot} show={(number) => source.showLeg?.(number)} />
          <EndingPanel
            snapshot={snapshot}
            act={act}
            show={(decision) => {
              setMissed(decision);
              go(decision.at);
            }}
            look={() => {
              setReviewed(true);
              review.begin();
            }}
            review={review}
            go={go}
            isNew={wasPlayed.current}
          />
        </div>
      )}
      <div class="beside-column game-side" hidden={isEnding}>
        <Player snapshot={snapshot} side={otherSide(near)} at={at} isTop isTurned={settings.opposite} />
        <p class="beside-name" aria-hidden="true">
          {gameTitle(facts)}
        </p>
        {score && !snapshot.isWaiting && !announcement?.words && <p class="score">{scoreText(score)}</p>}
        {!announcement && <NowBar snapshot={snapshot} isPast={at !== last} />}
        <AnnouncementBox
          announcement={announcement}
          isRoomKept={facts.calls !== null && mode !== "off" && !snapshot.isWaiting}
        />
        {refusal && <p class="fault">{refusal}</p>}
        {missed?.at === at && <p class="notice decisive">{missed.text}</p>}
        {notice && <p class="notice">{notice}</p>}
        {waiting}
        {!isEnding && <LegChoice snapshot={snapshot} show={(number) => source.showLeg?.(number)} />}
        {!!snapshot.watching && <p class="watching">{plural("web.watching", snapshot.watching)}</p>}
        {isCalling && facts.calls && <CallChoice calls={facts.calls} chosen={call} choose={setCall} />}
        {!snapshot.isWaiting && <MoveList snapshot={snapshot} at={at} go={go} />}
        <StepButtons at={at} targets={stepTargets(at, last)} go={go}>
          <FlipButton isFlipped={isTurned} flip={() => setTurned(!isTurned)} />
          {zoom.isSmall && <IconButton icon="zoom" label={t("web.zoom")} isPressed={zoom.isZoomed} act={zoom.toggle} />}
          <IconButton
            icon={settings.sounds ? "sounds" : "silent"}
            label={t("web.settings.sounds")}
            isPressed={settings.sounds}
            act={() => change({ sounds: !settings.sounds })}
          />
          {share && <IconButton icon="share" label={t("web.share")} act={() => share(at)} />}
          <IconButton icon="more" label={t("web.settings")} act={() => setDialog("settings")} />
        </StepButtons>
        {isDone && setup && (
          <div class="stack after-game">
            <Review snapshot={snapshot} review={review} at={at} go={go} />
            {after?.(snapshot, at)}
          </div>
        )}
        {!(isDone && setup) && !snapshot.isWaiting && <Counters facts={facts} state={state} own={ownSide(snapshot)} />}
        {pending ? <Confirmation move={pending} /> : <Actions actions={snapshot.actions} act={act} />}
        <Player snapshot={snapshot} side={near} at={at} isTop={false} isTurned={false} />
      </div>
      <SettingsDialog
        isOpen={dialog === "settings"}
        close={closeDialog("settings")}
        settings={settings}
        change={change}
        facts={facts}
        showKeys={() => setDialog("keys")}
      />
      <KeysDialog isOpen={dialog === "keys"} close={closeDialog("keys")} />
    </>
  );
}

const NO_ARROWS: readonly Arrow[] = [];
const NO_MARKS: readonly Mark[] = [];

/** Returns the arrow of the move that decided a game. */
function missedArrows({ move }: Decision): readonly Arrow[] {
  return move ? [{ from: move.from, to: move.to, kind: "move" }] : NO_ARROWS;
}

/** The buttons that make or take back a move that waits to be confirmed. */
function Confirmation({ move }: { readonly move: Move }) {
  const board = () => document.querySelector("tafl-board");
  return (
    <div class="actions confirming">
      <span>
        {move.from}–{move.to}
      </span>
      <button type="button" class="main" onClick={() => board()?.confirm()}>
        {t("web.confirm")}
      </button>
      <button type="button" onClick={() => board()?.cancel()}>
        {t("web.cancel")}
      </button>
    </div>
  );
}

/** The choice of the leg that is shown, once there are two. */
function LegChoice({ snapshot, show }: { readonly snapshot: Snapshot; readonly show: (number: number) => void }) {
  const { legs } = snapshot;
  if (!legs || legs.count < 2) return null;
  return (
    <Choice
      legend={t("web.leg.which")}
      isLegendUnseen
      name="leg"
      kind="leg-choice"
      values={[1, 2]}
      chosen={legs.shown}
      choose={show}
      label={(leg) => t("web.leg", { leg })}
    />
  );
}

/** Checks whether a key is for a field, for a dialog, or for the board, which has keys of its own. */
function isForPart(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  if (target.closest("input, select, textarea, dialog")) return true;
  // The field for typed moves is in the board.
  const isTyped = (event.composedPath()[0] as HTMLElement).matches("input");
  return target.closest("tafl-board") !== null && (isTyped || event.key !== "?");
}

/** Whose turn it is, and what was played last: between the opponent and the moves. */
function NowBar({ snapshot, isPast }: { readonly snapshot: Snapshot; readonly isPast: boolean }) {
  const { turn, last } = now(snapshot.line).state;
  if (turn === null || snapshot.isWaiting || snapshot.cancelled) return null;
  if (isPast) return <p class="now">{earlierPosition()}</p>;
  const { name, isYou } = snapshot.seats[turn];
  const squares = last?.captures.map(({ square }) => square).join(", ") ?? "";
  return (
    <p class={isYou ? "now yours" : "now"}>
      <b>{isYou ? t("web.now.yours") : theirTurn(name, turn)}</b>
      {last && <span>{squares ? t("web.now.captured", { squares }) : t("web.now.last", { move: `${last.from}–${last.to}` })}</span>}
    </p>
  );
}

/** Returns whose turn it is: of a player without a name, that of the side. */
function theirTurn(name: string, side: Side): string {
  return [sideName(side), t("web.your_opponent")].includes(name) ? t(`web.analysis.to_move.${side}`) : t("web.now.theirs", { name });
}

interface Badges {
  setAppBadge?(count: number): Promise<void>;
  clearAppBadge?(): Promise<void>;
}

/** Checks whether a game waits for the user. Two people at one device see whose turn it is on the board. */
function isYourTurn({ line, seats, movable, isWaiting }: Snapshot): boolean {
  const { turn } = now(line).state;
  return turn !== null && !isWaiting && movable === turn && seats[turn].isYou;
}

/** Shows whose turn it is in the title of the tab, and on the icon of the installed application. */
function useTabTitle(snapshot: Snapshot): void {
  const name = gameTitle(snapshot.facts);
  const isYours = isYourTurn(snapshot);
  useEffect(() => {
    document.title = `${isYours ? `${t("web.title.turn")} · ` : ""}${name} · Hnefi`;
    const badges = navigator as Badges;
    // A browser may refuse: then there is no badge.
    const change = isYours ? badges.setAppBadge?.(1) : badges.clearAppBadge?.();
    change?.catch(() => undefined);
  }, [name, isYours]);
}
