// Before a game with a friend begins: the link to send, and the card on which the friend accepts.

import { useEffect, useRef, useState } from "preact/hooks";
import { postJson } from "../http.ts";
import { playerName, savePlayerName } from "../invites.ts";
import type { Clock, GameView } from "../messages.ts";
import type { Game } from "../rules.ts";
import { plural, t } from "../texts.ts";
import { Board } from "../ui/board.tsx";
import { CopyField } from "../ui/copy_field.tsx";
import { otherSide, type VariantFacts } from "../variants.ts";
import { beginPlayedGame, now } from "./played_game.ts";
import { Qr } from "../ui/qr.tsx";

/** A name is sent when its letters have not changed for so long: the friend may come before the field is left. */
const PAUSE_MS = 600;

/** Returns the link with which a friend takes the other seat. It names no language: each sees their own. */
export function inviteLink(game: string, secret: string): string {
  return `${location.origin}/game/${game}#${secret}`;
}

/** `view` is that of the game before anybody has joined. */
export function Invitation({ link, view }: { readonly link: string | null; readonly view: GameView }) {
  const [isNamed] = useState(!!view.players[0]?.name);
  const naming = useRef(0);
  const rename = (name: string) => {
    savePlayerName(name);
    clearTimeout(naming.current);
    const send = () => void postJson(`/api/games/${view.game}/name`, { name: name.trim() }).catch(() => undefined);
    naming.current = window.setTimeout(send, PAUSE_MS);
  };
  if (!link) return <p class="notice">{t("web.invite.waiting")}</p>;
  const share = () => void navigator.share({ url: link }).catch(() => undefined);
  return (
    <div class="invitation">
      <p role="status">
        <b>{t("web.invite.waiting")}</b> {t("web.invite.send")} {view.created.side === "lot" && t("web.invite.drawn")}
      </p>
      {!isNamed && <NameField name="" typed={rename} />}
      <CopyField label={t("web.invite.link")} text={link} />
      {"share" in navigator && (
        <button type="button" onClick={share}>
          {t("web.invite.share")}
        </button>
      )}
      <Qr text={link} />
    </div>
  );
}

function NameField({ name, typed }: { readonly name: string; readonly typed: (name: string) => void }) {
  return (
    <label class="player-name">
      <span>{t("web.name")}</span>
      <input
        type="text"
        defaultValue={name}
        maxLength={30}
        autocomplete="nickname"
        onInput={(event) => typed(event.currentTarget.value)}
      />
    </label>
  );
}

interface CardProps {
  readonly view: GameView;
  readonly facts: VariantFacts;
  /** Takes the seat. Returns the reason if that fails. */
  readonly accept: (name: string) => Promise<string | null>;
  readonly watch: () => void;
}

/** The card that shows a friend the variant, its rules, and the side. Accepting it takes the seat. */
export function InvitationCard({ view, facts, accept, watch }: CardProps) {
  const [failure, setFailure] = useState<string | null>(null);
  const [name, setName] = useState(playerName());
  const isAccepting = useRef(false);
  const takeSeat = async () => {
    if (isAccepting.current) return;
    isAccepting.current = true;
    savePlayerName(name);
    setFailure(await accept(name.trim()));
    isAccepting.current = false;
  };
  const { created } = view;
  const [game, setGame] = useState<Game | null>(null);
  useEffect(() => {
    void beginPlayedGame(facts, "off", created.start).then((line) => setGame(now(line)));
  }, []);
  const player = view.players[0]?.name ?? "";
  const side = created.side === "lot" ? null : otherSide(created.side);
  return (
    <>
      <div class="game-board">
        <Board shape={game?.rules.facts ?? null} state={game?.state ?? null} movable="none" isFlipped={side === "defenders"} />
      </div>
      <section class="invitation-card">
        <h1>{t(player ? "web.card.from" : "web.card.title", { player, name: facts.title ?? facts.family })}</h1>
        <p class="lead">{t("web.card.lead")}</p>
        <dl>
          <dt>{t("web.card.rules")}</dt>
          <dd>{facts.rules ? <a href={facts.rules}>{facts.name}</a> : facts.name}</dd>
          {facts.changes.length > 0 && (
            <>
              <dt>{t("web.card.switches")}</dt>
              {facts.changes.map((change) => (
                <dd key={change}>{change}</dd>
              ))}
            </>
          )}
          <dt>{t("web.card.side")}</dt>
          <dd>{side ? `${t(`page.new.side.${side}`)}. ${facts.goals[side]}` : t("page.new.side.lot")}</dd>
          <dt>{t("page.new.clock")}</dt>
          <dd>{clockWords(created.clock)}</dd>
          <dt>{t("web.card.legs")}</dt>
          <dd>{created.form === "two_legs" ? t("web.card.legs.2") : t("web.card.legs.1")}</dd>
          {facts.calls && created.calls !== "auto" && (
            <>
              <dt>{t("page.new.calls")}</dt>
              <dd>{t(`page.new.calls.${created.calls}`)}</dd>
            </>
          )}
        </dl>
        <NameField name={name} typed={setName} />
        {failure && (
          <p class="failure" role="alert">
            {failure}
          </p>
        )}
        <div class="buttons">
          <button type="button" class="main" onClick={() => void takeSeat()}>
            {t("web.card.accept")}
          </button>
          <button type="button" onClick={watch}>
            {t("web.card.watch")}
          </button>
        </div>
      </section>
    </>
  );
}

function clockWords(clock: Clock): string {
  if (clock.kind === "days") return plural("web.card.days", clock.days);
  if (clock.kind === "fischer") {
    return t("web.card.fischer", { minutes: clock.initial_s / 60, seconds: clock.increment_s });
  }
  return t("page.new.clock.none");
}
