// A class for those who have joined it, or are about to: the name, the game now, one's own results.

import { useEffect, useState } from "preact/hooks";
import { savePlayerName } from "../../invites.ts";
import type { ClassGameView } from "../../messages.ts";
import { LANGUAGE, plural, t } from "../../texts.ts";
import { MiniBoard } from "../../ui/mini_board.tsx";
import { type ClassProps, gameName, nameOf } from "./room.ts";

const POINTS = new Intl.NumberFormat(LANGUAGE);

export function Pupil({ view, room, act }: ClassProps) {
  const own = view.members.find(({ number }) => number === view.you);
  const game = view.games.find(({ result }) => result === null);
  const over = view.games.filter(({ result }) => result !== null && result !== "void").reverse();
  useEffect(() => {
    const title = document.title.replace(/^\(1\) /, "");
    document.title = game ? `(1) ${title}` : title;
  }, [game?.game]);
  return (
    <>
      <header class="cloth page-head">
        <div class="wrap">
          <h1>{view.name || t("page.class.heading.unnamed")}</h1>
          {own && <p class="lead">{t("page.class.you", { name: own.name })}</p>}
        </div>
      </header>
      <div class="wrap stack class-pupil">
        {own ? (
          <>
            <section class="stack class-now" role="status">
              {view.is_closed && <p>{t("error.class_closed")}</p>}
              {game ? <Now game={game} you={own.number} /> : !view.is_closed && <Waiting sitsOut={own.sits_out} />}
            </section>
            {over.length > 0 && (
              <section aria-labelledby="own-results">
                <h2 id="own-results">{t("page.class.your_results")}</h2>
                <p>{plural("page.class.score", own.points, { points: POINTS.format(own.points), games: own.played })}</p>
                <ul class="class-own">
                  {over.map((one) => (
                    <li key={one.game}>
                      <a href={`/${LANGUAGE}/game/${one.game}`}>{outcome(one, own.number)}</a>
                    </li>
                  ))}
                </ul>
              </section>
            )}
            {!view.is_closed && (
              <section class="stack class-person" aria-label={own.name}>
                <HandOver room={room} act={act} name={own.name} isPlaying={game !== undefined} />
                <details>
                  <summary>{t("page.class.rename")}</summary>
                  <p class="note">{t("page.class.rename.help")}</p>
                  <NameForm submit={(name) => act(() => room.join(name, "rename"))} name={own.name} button={t("page.class.save")} />
                </details>
              </section>
            )}
          </>
        ) : view.is_closed ? (
          <p>{t("error.class_closed")}</p>
        ) : (
          <NameForm submit={(name) => act(() => room.join(name))} name="" button={t("page.class.join")} isMain />
        )}
      </div>
    </>
  );
}

function Waiting({ sitsOut }: { readonly sitsOut: boolean }) {
  if (!sitsOut) return <p class="lead">{t("page.class.wait")}</p>;
  return (
    <div>
      <h2>{t("page.class.wait.odd")}</h2>
      <p class="lead">{t("page.class.wait.odd.next")}</p>
    </div>
  );
}

function Now({ game, you }: { readonly game: ClassGameView; readonly you: number }) {
  const attacks = game.attackers === you;
  return (
    <>
      <MiniBoard position={game.position ?? ""} shape={game.shape} />
      <div>
        <h2>{t("page.class.against", { name: nameOf(game.names[attacks ? 1 : 0]) })}</h2>
        <p>
          {gameName(game.variant)} · {t(attacks ? "page.class.attack" : "page.class.defend")}
        </p>
        <a class="button main" href={`/${LANGUAGE}/game/${game.game}`}>
          {t("page.class.to_board")}
        </a>
      </div>
    </>
  );
}

function outcome(game: ClassGameView, you: number): string {
  const attacks = game.attackers === you;
  const name = nameOf(game.names[attacks ? 1 : 0]);
  if (game.result === "draw") return t("page.class.own.draw", { name });
  return t((game.result === "attackers") === attacks ? "page.class.own.won" : "page.class.own.lost", { name });
}

interface HandOverProps extends Omit<ClassProps, "view"> {
  readonly name: string;
  readonly isPlaying: boolean;
}

/** Frees the device for somebody else; a game on it has to be over. */
function HandOver({ room, act, name, isPlaying }: HandOverProps) {
  const handOver = () =>
    act(async () => {
      const view = await room.handOver();
      savePlayerName("");
      return view;
    });
  return (
    <details>
      <summary>{t("page.class.hand_over", { name })}</summary>
      <p class="note">{t(isPlaying ? "error.device_playing" : "page.class.hand_over.help", { name })}</p>
      {!isPlaying && (
        <button type="button" onClick={handOver}>
          {t("page.class.hand_over.do")}
        </button>
      )}
    </details>
  );
}

interface NameProps {
  readonly submit: (name: string) => void;
  readonly name: string;
  readonly button: string;
  readonly isMain?: boolean;
}

function NameForm({ submit, name, button, isMain = false }: NameProps) {
  const [typed, setTyped] = useState(name);
  const send = (event: Event) => {
    event.preventDefault();
    submit(typed);
  };
  return (
    <form class="class-name stack fields" onSubmit={send}>
      <label>
        {t("page.class.first_name")}
        <input type="text" value={typed} maxLength={30} required autocomplete="given-name" onInput={(event) => setTyped(event.currentTarget.value)} />
      </label>
      <button type="submit" class={isMain ? "main" : ""}>
        {button}
      </button>
    </form>
  );
}
