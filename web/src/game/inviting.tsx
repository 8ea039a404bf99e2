// Before a game with a friend begins: the link to send, and the card that the friend accepts.

import { useEffect, useRef, useState } from "preact/hooks";
import type { TaflBoard } from "../board/element.ts";
import "../entries/board.ts";
import type { Clock, GameView } from "../messages.ts";
import { plural, t, textsOf } from "../texts.ts";
import type { GameFacts } from "./facts.ts";
import { beginLine, now } from "./line.ts";
import { keepName, ownName } from "./invites.ts";
import { Qr } from "./qr.tsx";
import { Copied } from "./sharing.tsx";

/** The link with which a friend takes the other seat; it names no language, so everybody sees their own. */
export function inviteLink(game: string, secret: string): string {
  return `${location.origin}/game/${game}#${secret}`;
}

export function Invitation({ link }: { readonly link: string | null }) {
  if (!link) return <p class="notice">{t("web.invite.waiting")}</p>;
  const share = () => void navigator.share({ url: link }).catch(() => undefined);
  return (
    <div class="invitation">
      <p>
        <b>{t("web.invite.waiting")}</b> {t("web.invite.send")}
      </p>
      <Copied label={t("web.invite.link")} text={link} />
      {"share" in navigator && (
        <button type="button" onClick={share}>
          {t("web.invite.share")}
        </button>
      )}
      <Qr text={link} />
    </div>
  );
}

interface CardProps {
  readonly view: GameView;
  readonly facts: GameFacts;
  readonly accept: (name: string) => Promise<string | null>;
  /** Looks on instead. */
  readonly watch: () => void;
}

/** The rule card: what is played, by which rules, on which side; whoever accepts it takes the seat. */
export function Card({ view, facts, accept, watch }: CardProps) {
  const [trouble, setTrouble] = useState<string | null>(null);
  const [name, setName] = useState(ownName());
  const isSitting = useRef(false);
  const sit = async () => {
    if (isSitting.current) return;
    isSitting.current = true;
    keepName(name);
    setTrouble(await accept(name.trim()));
    isSitting.current = false;
  };
  const { created } = view;
  const side = created.side === "lot" ? null : created.side === "attackers" ? "defenders" : "attackers";
  return (
    <>
      <div class="game-board">
        <StartBoard facts={facts} start={created.start} isFlipped={side === "defenders"} />
      </div>
      <section class="card-of-rules">
        <h1>{t("web.card.title", { name: facts.family })}</h1>
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
          <dt>{t("page.new.legs")}</dt>
          <dd>{t(`page.new.legs.${created.form === "two_legs" ? "2" : "1"}`)}</dd>
          {facts.calls && (
            <>
              <dt>{t("page.new.calls")}</dt>
              <dd>{t(`page.new.calls.${created.calls}`)}</dd>
            </>
          )}
        </dl>
        <label class="own-name">
          <span>{t("web.name")}</span>
          <input type="text" value={name} maxLength={30} autocomplete="nickname" onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        {trouble && (
          <p class="trouble" role="alert">
            {trouble}
          </p>
        )}
        <div class="buttons">
          <button type="button" class="main" onClick={() => void sit()}>
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

interface StartProps {
  readonly facts: GameFacts;
  readonly start: string | null;
  readonly isFlipped: boolean;
}

/** The board as it will stand, seen from the side that is offered. */
function StartBoard({ facts, start, isFlipped }: StartProps) {
  const element = useRef<TaflBoard>(null);
  useEffect(() => {
    void beginLine(facts, "off", start ?? undefined).then((line) => {
      const board = element.current;
      if (!board) return;
      board.setAttribute("movable", "none");
      board.toggleAttribute("flip", isFlipped);
      board.words = textsOf("board.");
      board.shape = now(line).rules.facts;
      board.state = now(line).state;
    });
  }, []);
  return <tafl-board ref={element} />;
}

function clockWords(clock: Clock): string {
  if (clock.kind === "days") return plural("web.card.days", clock.days);
  if (clock.kind === "fischer") {
    return t("web.card.fischer", { minutes: clock.initial_s / 60, seconds: clock.increment_s });
  }
  return t("page.new.clock.none");
}
