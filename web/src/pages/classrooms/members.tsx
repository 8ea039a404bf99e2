// The members of a class for its host: who is here, and pairs of two by hand.

import { useState } from "preact/hooks";
import type { ClassMemberView } from "../../messages.ts";
import { DATE_LOCALE, t } from "../../texts.ts";
import type { ClassProps } from "./room.ts";

interface Props extends ClassProps {
  readonly variant: string;
}

const TIME = new Intl.DateTimeFormat(DATE_LOCALE, { timeStyle: "short" });

function stateOf(member: ClassMemberView): string {
  if (member.playing) return "playing";
  if (!member.has_device) return "no_device";
  if (!member.here) return "away";
  return member.sits_out ? "sits_out" : "free";
}

export function Members({ view, room, act, variant }: Props) {
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
            {!view.is_closed && !one.here && one.open_ms === null && (
              <button type="button" class="quiet open" aria-label={t("page.class.open", { name: one.name })} onClick={() => act(() => room.openPlace(one.number))}>
                {t("page.class.open.short")}
              </button>
            )}
            {!view.is_closed && (
              <button type="button" class="quiet remove" aria-label={t("page.class.remove", { name: one.name })} onClick={() => remove(one)}>
                ✕
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
