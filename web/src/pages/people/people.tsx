// Find someone to play: quick pairing, open challenges, games to watch, and who is here.

import { render } from "preact";
import { clockOf } from "../../clock_choice.ts";
import { failureText, getJson, postJson } from "../../http.ts";
import { playerName, saveInvite, savePlayerName } from "../../invites.ts";
import type {
  ChallengeView,
  Clock,
  GameCreated,
  GameView,
  LiveGameView,
  NewGameRequest,
  OwnGame,
  Paired,
  PeopleView,
} from "../../messages.ts";
import { repeat } from "../../repeat.ts";
import { LANGUAGE, plural, readJson, t } from "../../texts.ts";
import { agoText } from "../../ui/ago.ts";
import { OwnGameTile } from "../../ui/game_tile.tsx";
import { MiniBoard } from "../../ui/mini_board.tsx";
import { gameTitle } from "../../variants.ts";
import { cancelChallenge, lookFor, rememberWaiting, stayPresent, waitingGames } from "../../waiting.ts";
import { gamesGoingOn } from "../../your_turn.ts";

const OWN_GAMES_MS = 15_000;
/** The others are on the page of all own games. */
const MOST_OWN = 8;
const MINUTE_S = 60;

const NAMES = readJson<Readonly<Record<string, string>>>("names") ?? {};
/** What each choice of a clock means, as a sentence. */
const CLOCKS = readJson<Readonly<Record<string, string>>>("clocks") ?? {};
const form = document.querySelector<HTMLFormElement>("[data-seek]") as HTMLFormElement;
const find = form.querySelector<HTMLButtonElement>("[type=submit]") as HTMLButtonElement;
const post = form.querySelector<HTMLButtonElement>("[data-post]") as HTMLButtonElement;
/** Where the user's own challenges that wait are shown. */
const waits = form.querySelector<HTMLElement>("[data-waits]") as HTMLElement;
const report = document.querySelector<HTMLElement>("[data-report]") as HTMLElement;
const failure = form.querySelector<HTMLElement>(".failure") as HTMLElement;
const here = document.querySelector<HTMLElement>("[data-here]") as HTMLElement;

function clockWords(clock: Clock): string {
  if (clock.kind === "days") return plural("page.people.days", clock.days);
  if (clock.kind === "none") return t("page.people.no_clock");
  return t("page.people.fischer", { minutes: clock.initial_s / MINUTE_S, seconds: clock.increment_s });
}

function wish(): NewGameRequest {
  const data = new FormData(form);
  return {
    variant: String(data.get("variant")),
    opponent: "friend",
    side: String(data.get("side")) as "attackers" | "defenders" | "lot",
    clock: clockOf(String(data.get("clock"))),
    name: String(data.get("name") ?? "").trim(),
  };
}

/** The actions that run or wait, and the end of the last one. */
const begun = new Set<string>();
let last = Promise.resolve();

/** Runs an action after those before it, and says why it fails. The second click of two is ignored. */
function once(what: string, action: () => Promise<void>): void {
  if (begun.has(what)) return;
  begun.add(what);
  last = last.then(async () => {
    failure.hidden = true;
    try {
      await action();
    } catch (error) {
      failure.textContent = failureText(error);
      failure.hidden = false;
    } finally {
      begun.delete(what);
    }
  });
}

/** Checks whether the user has already posted the same challenge. */
function isPosted({ variant, side, clock }: NewGameRequest, own: readonly ChallengeView[]): boolean {
  const isSame = (one: ChallengeView) =>
    one.variant === variant && one.side === side && one.form === "single" && Object.keys(one.switches).length === 0;
  return own.some((one) => isSame(one) && clockWords(one.clock) === clockWords(clock ?? { kind: "none" }));
}

/** Shows which of the user's own challenges wait, in the place of the buttons if the chosen one is among them. */
function showWaiting(): void {
  const own = people?.challenges.filter(({ yours }) => yours) ?? [];
  const focused = document.activeElement as HTMLElement | null;
  // It speaks of a challenge that has been taken or has ended.
  if (own.length === 0 && waits.childElementCount > 0) report.textContent = "";
  render(own.map((challenge) => <Waiting key={challenge.game} challenge={challenge} />), waits);
  find.hidden = post.hidden = isPosted(wish(), own);
  if (focused && (focused.hidden || !focused.isConnected)) (waits.querySelector("button") ?? find).focus();
}

function nameOf({ variant, switches, title }: Pick<OwnGame, "variant" | "switches" | "title">): string {
  return gameTitle({ name: NAMES[variant] ?? variant, switches, title });
}

function openGame(game: string): void {
  location.assign(`/${LANGUAGE}/game/${game}`);
}

/** Shows what has been done, and scrolls there if it is out of sight. */
function announce(key: string): void {
  report.textContent = t(key);
  report.scrollIntoView({ block: "nearest" });
}

/** Notes a challenge of one's own that waits. */
async function wait(game: string, invite: string | null, key: string): Promise<void> {
  if (invite) saveInvite(game, invite);
  rememberWaiting(game);
  announce(key);
  await refresh();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  once("post", async () => {
    const { game, is_taken, invite } = await postJson<Paired>("/api/pairings", wish());
    if (is_taken) openGame(game);
    else await wait(game, invite, invite ? "page.people.posted.nobody" : "page.people.posted.same");
  });
});
post.addEventListener("click", () =>
  once("post", async () => {
    const { game, invite } = await postJson<GameCreated>("/api/games", { ...wish(), open: true });
    await wait(game, invite, "page.people.posted");
  }),
);

// The tiles are shortcuts for the choices below them.
form.addEventListener("change", (event) => {
  const { name, value } = event.target as HTMLInputElement;
  if (name === "quick") {
    const [variant = "", clock = ""] = value.split(" ");
    (form.elements.namedItem("variant") as HTMLSelectElement).value = variant;
    (form.elements.namedItem("clock") as HTMLSelectElement).value = clock;
  } else if (name === "variant" || name === "clock") {
    const { variant, clock } = Object.fromEntries(new FormData(form));
    for (const tile of form.querySelectorAll<HTMLInputElement>("[name=quick]")) {
      tile.checked = tile.value === `${variant} ${clock}`;
    }
  }
  explainClock();
  showWaiting();
});

function explainClock(): void {
  const words = form.querySelector<HTMLElement>("[data-clock]");
  if (words) words.textContent = CLOCKS[String(new FormData(form).get("clock"))] ?? "";
}

function take(challenge: ChallengeView): void {
  once(challenge.game, async () => {
    await postJson<GameView>(`/api/games/${challenge.game}/join`, { name: playerName() });
    openGame(challenge.game);
  });
}

function cancel(challenge: ChallengeView): void {
  once(challenge.game, async () => {
    await cancelChallenge(challenge.game);
    await refresh();
    announce("page.people.cancelled");
  });
}

function sideWords(challenge: ChallengeView): string {
  if (challenge.side === "lot") return t("page.people.side.lot");
  // The side that is offered, which is what the reader would play.
  const offered = challenge.side === "attackers" ? "defenders" : "attackers";
  return t(`page.people.side.${challenge.yours ? challenge.side : offered}`);
}

function factsOf(challenge: ChallengeView): string[] {
  const { title, clock, form: legs } = challenge;
  const facts = [clockWords(clock), sideWords(challenge)];
  if (legs === "two_legs") facts.push(t("page.people.two_legs"));
  if (title) facts.push(t("page.people.own_rules"));
  return facts;
}

/** A challenge of one's own: for what the user waits, since when, and a way to cancel. */
function Waiting({ challenge }: { readonly challenge: ChallengeView }) {
  const game = nameOf(challenge);
  return (
    <div class="row waits">
      <p>
        <b>{t("page.people.waits")}</b>
        <span>{game}</span>
        <span class="note">{[...factsOf(challenge), agoText(challenge.posted_ms)].join(" · ")}</span>
      </p>
      <button type="button" onClick={() => cancel(challenge)} aria-label={t("page.people.cancel.game", { game })}>
        {t("page.people.cancel")}
      </button>
    </div>
  );
}

function Challenge({ challenge }: { readonly challenge: ChallengeView }) {
  const game = nameOf(challenge);
  const name = challenge.name || t("web.guest");
  const facts = factsOf(challenge);
  if (challenge.away) facts.push(t("page.people.away"));
  return (
    <li>
      <MiniBoard position={challenge.position} shape={challenge.shape} />
      <p>
        <b class="name">{game}</b>
        <span>{name}</span>
        <span class="note">{facts.join(" · ")}</span>
      </p>
      <button type="button" onClick={() => take(challenge)} aria-label={t("page.people.accept.game", { game, name })}>
        {t("page.people.accept")}
      </button>
    </li>
  );
}

function Watched({ game }: { readonly game: LiveGameView }) {
  const [first, second] = game.names.map((name) => name || t("web.guest"));
  return (
    <li>
      <a href={`/${LANGUAGE}/game/${game.game}`}>
        <MiniBoard position={game.position} shape={game.shape} />
        <b>{t("page.people.between", { first: first ?? "", second: second ?? "" })}</b>
        <span class="note">
          {nameOf(game)} · {plural("web.games.moves", game.moves)}
        </span>
      </a>
    </li>
  );
}

function Lobby({ people, own }: { readonly people: PeopleView; readonly own: readonly OwnGame[] }) {
  const { challenges, games } = people;
  const listed = new Set(challenges.map(({ game }) => game));
  const begun = own.filter(({ game }) => !listed.has(game));
  const others = challenges.filter(({ yours }) => !yours);
  return (
    <>
      {begun.length > 0 && (
        <section aria-labelledby="own-games" class="own-games">
          <h2 id="own-games">{t("page.nav.games")}</h2>
          <ul class="game-tiles">
            {begun.slice(0, MOST_OWN).map((game) => <OwnGameTile key={game.game} game={game} name={nameOf(game)} />)}
          </ul>
          {begun.length > MOST_OWN && <a href={`/${LANGUAGE}/games`}>{t("page.people.all_own")}</a>}
        </section>
      )}
      <section aria-labelledby="challenges">
        <h2 id="challenges">{t("page.people.challenges")}</h2>
        {others.length === 0 && (
          <div class="row empty">
            <p>{t(challenges.length > 0 ? "page.people.only_yours" : "page.people.none")}</p>
            <a class="button" href={`/${LANGUAGE}/new?opponent=computer`}>
              {t("page.people.computer")}
            </a>
          </div>
        )}
        <ul class="challenges game-tiles">
          {others.map((challenge) => <Challenge key={challenge.game} challenge={challenge} />)}
        </ul>
      </section>
      {games.length > 0 && (
        <section aria-labelledby="watch" class="to-watch">
          <h2 id="watch">{t("page.people.watch")}</h2>
          <ul class="game-tiles">
            {games.map((game) => <Watched key={game.game} game={game} />)}
          </ul>
        </section>
      )}
    </>
  );
}

const place = document.querySelector<HTMLElement>("[data-lobby]") as HTMLElement;
let people: PeopleView | null = null;
let own: readonly OwnGame[] = [];

function show(problem: string | null = null): void {
  render(
    <>
      {problem && <p role="status">{problem}</p>}
      {people && <Lobby people={people} own={own} />}
    </>,
    place,
  );
}

async function refresh(): Promise<void> {
  try {
    people = await getJson<PeopleView>("/api/people");
    // Nothing is said while the number is unknown; the line is there, so that nothing moves.
    here.textContent = people.here === null ? "\u00a0" : plural("page.people.here", people.here);
    show();
    showWaiting();
    await lookFor(people.challenges);
    stayPresent();
  } catch (error) {
    here.hidden = true;
    show(failureText(error));
  }
}

/** Reads the user's own games; without a connection the list stays. */
async function refreshOwn(): Promise<void> {
  own = await gamesGoingOn().catch(() => own);
  if (people) show();
}

const nameField = form.elements.namedItem("name") as HTMLInputElement;
nameField.value = playerName();
nameField.addEventListener("change", () => savePlayerName(nameField.value));
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  void refresh();
  void refreshOwn();
});
show();
void refresh();
// A hidden page only waits for a taker of its challenges.
void repeat(async () => {
  if (!document.hidden || waitingGames().length > 0) await refresh();
});
void refreshOwn();
setInterval(() => {
  if (!document.hidden) void refreshOwn();
}, OWN_GAMES_MS);
