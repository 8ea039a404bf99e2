// A class for its host: the code, who is here, pairing, the wall of boards, results.

import { useEffect, useState } from "preact/hooks";
import { forgetClass } from "../../classroom_of_game.ts";
import type { ClassMemberView, ClassView } from "../../messages.ts";
import { DATE_LOCALE, LANGUAGE, plural, t } from "../../texts.ts";
import { CopyField } from "../../ui/copy_field.tsx";
import { Qr } from "../../ui/qr.tsx";
import { Results, Standings } from "./results.tsx";
import { type ClassProps, gameName, shownCode } from "./room.ts";
import { Wall } from "./wall.tsx";

const DATE = new Intl.DateTimeFormat(DATE_LOCALE, { dateStyle: "long" });

export function Host({ view, room, act }: ClassProps) {
  const [variant, setVariant] = useState(view.variants[0] ?? "");
  const [isLarge, setIsLarge] = useState(false);
  const here = view.members.filter((one) => one.here);
  const free = here.filter(({ playing }) => !playing);
  const last = view.games.filter(({ round }) => round === view.rounds && round > 0);
  const canSwap = last.length > 0 && last.every(({ result }) => result !== null);
  const isPlaying = view.games.length > 0;
  const members = <Members key="members" view={view} room={room} act={act} variant={variant} />;
  const boards = (
    <section key="boards" class="class-boards" aria-labelledby="boards">
      <h2 id="boards" class={isPlaying ? "unseen" : ""}>
        {t("page.class.wall")}
      </h2>
      {!isPlaying && <p>{t("page.class.wall.none")}</p>}
      <Wall view={view} room={room} act={act} isLarge={isLarge} />
    </section>
  );
  return (
    <div class={`class-room fields${isPlaying ? " playing" : ""}${isLarge ? " large" : ""}`}>
      <header class="cloth">
        <div class="wrap stack">
          <div>
            <h1>{view.name || t("page.class.heading.unnamed")}</h1>
            <p class="lead">
              {here.length > 0 ? plural("page.class.here", here.length) : t("page.class.here.none")}
              {!view.is_closed && (
                <span id="rounds" class={isPlaying && free.length >= 2 ? "unseen" : ""}>
                  {t(free.length >= 2 ? "page.class.round_robin" : here.length < 2 ? "page.class.pair_all.few" : "page.class.pair_all.busy")}
                </span>
              )}
            </p>
            <p class="printed">{DATE.format(Date.now())}</p>
          </div>
          {view.is_closed ? <p class="class-code">{t("error.class_closed")}</p> : <Code view={view} />}
          <div class="row class-actions">
            {!view.is_closed && (
              <>
                {view.variants.length > 1 && (
                  <label>
                    <span class="unseen">{t("page.class.game")}</span>
                    <select value={variant} onChange={(event) => setVariant(event.currentTarget.value)}>
                      {view.variants.map((one) => (
                        <option key={one} value={one}>
                          {gameName(one)}
                        </option>
                      ))}
                    </select>
                  </label>
                )}
                <button type="button" class="main" disabled={free.length < 2} aria-describedby="rounds" onClick={() => act(() => room.pairAll("next", variant))}>
                  {t("page.class.pair_all")}
                </button>
                {canSwap && (
                  <button type="button" onClick={() => act(() => room.pairAll("swapped", variant))}>
                    {t("page.class.swap")}
                  </button>
                )}
              </>
            )}
            {isPlaying && (
              <button type="button" class="quiet" aria-pressed={isLarge} onClick={() => setIsLarge(!isLarge)}>
                {t(isLarge ? "page.class.wall.small" : "page.class.wall.large")}
              </button>
            )}
          </div>
        </div>
      </header>
      <div class="wrap stack class-body">
        {isPlaying ? [boards, <Standings key="standings" members={view.members} />, members] : [members, boards]}
        {isPlaying && <Results view={view} room={room} act={act} />}
        <Manage view={view} room={room} act={act} />
      </div>
    </div>
  );
}

function Code({ view }: { readonly view: ClassView }) {
  const address = `${location.host}/${LANGUAGE}/class`;
  const link = `${location.origin}/${LANGUAGE}/class/${view.code}`;
  return (
    <div class="class-code">
      <p class="join-at">{view.is_locked ? t("page.class.locked") : t("page.class.join_at", { address })}</p>
      <p class="code">{shownCode(view.code)}</p>
      <details>
        <summary>{t("page.class.link")}</summary>
        <div>
          <CopyField label={t("page.class.link.pupils")} text={link} />
          <Qr text={link} />
        </div>
      </details>
    </div>
  );
}

function Manage({ view, room, act }: ClassProps) {
  const [link, setLink] = useState<string | null>(null);
  useEffect(() => {
    const hide = ({ key }: KeyboardEvent) => key === "Escape" && setLink(null);
    addEventListener("keydown", hide);
    return () => removeEventListener("keydown", hide);
  }, []);
  const toggleLink = () => {
    if (link || !confirm(t("page.class.host_link.ask"))) return setLink(null);
    act(async () => {
      setLink(await room.hostLink());
      return null;
    });
  };
  const rename = () => {
    const name = prompt(t("page.class.new_name.ask"), view.name)?.trim();
    if (name) act(() => room.change({ name }));
  };
  const end = () => {
    if (view.is_closed || confirm(t("page.class.end.ask"))) act(() => room.change({ is_closed: !view.is_closed }));
  };
  const remove = () => {
    if (!confirm(t("page.class.delete.ask"))) return;
    act(async () => {
      await room.delete();
      forgetClass(view.code);
      location.assign(`/${LANGUAGE}/class`);
      // The page is left: it does not ask for the class again.
      return new Promise<null>(() => {});
    });
  };
  return (
    <section class="class-manage" aria-labelledby="manage">
      <h2 id="manage">{t("page.class.manage")}</h2>
      <p class="note">{t("page.class.kept", { date: DATE.format(view.deleted_ms) })}</p>
      <p class="row">
        <button type="button" onClick={rename}>
          {t("page.class.new_name")}
        </button>
        {!view.is_closed && (
          <button type="button" aria-pressed={view.is_locked} onClick={() => act(() => room.change({ is_locked: !view.is_locked }))}>
            {t(view.is_locked ? "page.class.unlock" : "page.class.lock")}
          </button>
        )}
        <button type="button" aria-expanded={link !== null} onClick={toggleLink}>
          {t(link ? "page.class.host_link.hide" : "page.class.other_host")}
        </button>
        <button type="button" onClick={end}>
          {t(view.is_closed ? "page.class.reopen" : "page.class.end")}
        </button>
      </p>
      {link && (
        <>
          <CopyField label={t("page.class.host_link")} text={link} />
          <Qr text={link} />
        </>
      )}
      <p class="class-delete">
        <button type="button" onClick={remove}>
          {t("page.class.delete")}
        </button>
      </p>
    </section>
  );
}

interface MembersProps extends ClassProps {
  readonly variant: string;
}

const TIME = new Intl.DateTimeFormat(DATE_LOCALE, { timeStyle: "short" });

function stateOf(member: ClassMemberView): string {
  if (member.playing) return "playing";
  if (!member.has_device) return "no_device";
  if (!member.here) return "away";
  return member.sits_out ? "sits_out" : "free";
}

/** The members: who is here, and pairs of two by hand. */
function Members({ view, room, act, variant }: MembersProps) {
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const free = new Set(view.members.filter(({ playing, has_device }) => has_device && !playing).map(({ number }) => number));
  const [first, second] = chosen.filter((number) => free.has(number));
  const nameOf = (number: number | undefined) => view.members.find((one) => one.number === number)?.name ?? "";
  const tap = (number: number) => {
    if (number === first || number === second) setChosen(chosen.filter((one) => one !== number));
    else setChosen(first === undefined ? [number] : [first, number]);
  };
  const start = () => {
    if (first === undefined || second === undefined) return;
    setChosen([]);
    act(() => room.pair(first, second, variant));
  };
  const remove = ({ number, name }: ClassMemberView) => {
    if (confirm(t("page.class.remove.ask", { name }))) act(() => room.remove(number));
  };
  return (
    <section class="class-members" aria-labelledby="members">
      <h2 id="members">{t("page.class.members")}</h2>
      {view.members.length === 0 && <p>{t("page.class.nobody")}</p>}
      {free.size > 1 && !view.is_closed && <p class="note">{t("page.class.by_hand")}</p>}
      <ul>
        {view.members.map((one) => (
          <li key={one.number}>
            <button
              type="button"
              class={`name-button${one.here ? "" : " away"}`}
              disabled={one.playing || !one.has_device || view.is_closed}
              aria-pressed={one.number === first || one.number === second}
              onClick={() => tap(one.number)}
            >
              <span>{one.name}</span> <span class="note">{t(`page.class.${stateOf(one)}`)}</span>
            </button>
            {!view.is_closed && (
              <button type="button" class="quiet remove" aria-label={t("page.class.remove", { name: one.name })} onClick={() => remove(one)}>
                ✕
              </button>
            )}
            {!view.is_closed && !one.here && one.open_ms === null && (
              <button type="button" class="quiet open" aria-label={t("page.class.open", { name: one.name })} onClick={() => act(() => room.openPlace(one.number))}>
                {t("page.class.open.short")}
              </button>
            )}
            {one.open_ms !== null && (
              <p class="note" role="status">
                {t("page.class.opened", { name: one.name, time: TIME.format(one.open_ms) })}
              </p>
            )}
          </li>
        ))}
      </ul>
      {first !== undefined && (
        <div class="row class-pair" role="status">
          <p>
            {second === undefined
              ? t("page.class.chosen.one", { name: nameOf(first) })
              : t("page.class.chosen", { attackers: nameOf(first), defenders: nameOf(second) })}
          </p>
          {second !== undefined && (
            <>
              <button type="button" onClick={start}>
                {t("page.class.start")}
              </button>
              <button type="button" class="quiet" onClick={() => setChosen([second, first])}>
                {t("page.class.turn_round")}
              </button>
            </>
          )}
          <button type="button" class="quiet" onClick={() => setChosen([])}>
            {t("page.class.unchoose")}
          </button>
        </div>
      )}
    </section>
  );
}
