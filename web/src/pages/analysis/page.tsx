// The analysis page: the board, and beside it the engine, the openings and the tree of moves, or one of the other tabs.

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Arrow, BoardState, Mark, ShowOptions } from "../../board/types.ts";
import type { RecordView } from "../../messages.ts";
import { formatPosition, parsePosition, type Position } from "../../positions.ts";
import type { Game, Rules } from "../../rules.ts";
import { newId } from "../../storage.ts";
import { displayedName, t } from "../../texts.ts";
import { placeText, type Sentences, useKeptFocus } from "../../ui/announcer.ts";
import { Board, type Tool } from "../../ui/board.tsx";
import { useKeys } from "../../ui/keys.ts";
import { outcomeText } from "../../ui/outcome.ts";
import { variantFacts } from "../../variant_facts.ts";
import { gameTitle, pageVariants, sideName } from "../../variants.ts";
import { hasBook } from "./book.ts";
import { BookPanel } from "./book_panel.tsx";
import { type EngineChoice, type EngineQuery, useEngine } from "./engine.ts";
import { arrowsOf, EnginePanel, EvaluationBar, useBestLineText } from "./engine_panel.tsx";
import { endOf, type MoveTree, pathTo, play, plyOf, removed, sibling, START } from "./move_tree.ts";
import { Annotations, MoveTreeButtons, MoveTreeView } from "./move_tree_view.tsx";
import { OpeningsPanel } from "./openings.tsx";
import { PositionActions } from "./position_actions.tsx";
import { RecordExport, RecordImport } from "./records.tsx";
import { SetupPanel } from "./setup.tsx";
import { isTaken, saveStudy } from "./saved_studies.ts";
import { EarlierStudies } from "./studies.tsx";
import { addressOf, beginStudy, GameCache, outcomeOf, queryOf, replayAddressOf, type Study, studyOf } from "./study.ts";
import { type RuleChoice, VariantForm } from "./variant_form.tsx";

interface Props {
  readonly first: Study;
  readonly rules: readonly RuleChoice[];
  /** What is wrong with the position in the address. */
  readonly fault: string | null;
  /** The address of another study that the user changed, if that was shown last. */
  readonly earlier: string | null;
  /** Whether the server has a library of games. */
  readonly hasLibrary: boolean;
  /** The players with attackers and defenders, if the address asks to replay their game. */
  readonly players: readonly [string, string] | null;
}

/** A study whose moves were replaced at once: how, and by which. */
interface Replaced {
  readonly study: Study;
  readonly how: "removed" | "read" | "set_up";
  readonly by: Study;
}

export function AnalysisPage({ first, rules, fault, earlier, hasLibrary, players }: Props) {
  const [study, setStudy] = useState(first);
  const [tab, setTab] = useState<Tab>(() => TABS.find((name) => location.hash === `#tab-${name}`) ?? "moves");
  const [editing, setEditing] = useState<Position | null>(null);
  const [tool, setTool] = useState<Tool>("hand");
  const [isFlipped, setFlipped] = useState(false);
  /** Whether the game is only replayed. A move on the board, too, begins the analysis. */
  const [isReplay, setReplay] = useState(players !== null);
  const [refusal, setRefusal] = useState(fault);
  /** Whether the last change was a step to another position, and no move. */
  const [isStep, setStep] = useState(false);
  const [replaced, setReplaced] = useState<Replaced | null>(null);
  const [choice, setChoice] = useState<EngineChoice>({ isOn: false, lines: 3, threats: false, isOnServer: false });
  const games = useGameCache(study);
  const { tree, at } = study;
  const game = games.after(tree, at);
  const gameAfter = (id: number) => games.after(tree, id);

  /** Replaces moves at once, and says so; the earlier ones can be brought back until the new ones are changed. */
  const replace = (next: Study, how: Replaced["how"]) => {
    setReplaced({ study, how, by: next });
    setStudy(next);
    setRefusal(null);
    setStep(false);
  };
  const former = replaced?.by.tree === tree ? replaced : null;
  const undo = () => {
    if (!former) return;
    setReplaced(null);
    setStudy(former.study);
    setRefusal(null);
    setStep(false);
  };
  const set = (changed: MoveTree, to: number) => {
    setRefusal(null);
    setStep(changed === tree);
    setStudy((was) => ({ ...was, tree: changed, at: to, isOwn: was.isOwn || changed !== was.tree }));
  };
  const go = (to: number) => {
    setRefusal(null);
    setStep(true);
    setStudy((was) => ({ ...was, at: to }));
  };
  const tryMoves = (moves: readonly string[]) => {
    setReplay(false);
    const start: [MoveTree, number] = [tree, at];
    set(...moves.reduce(([grown, end], move) => play(grown, end, move), start));
  };
  // Before the next paint: an effect after it would not run if the page is left at once.
  useLayoutEffect(() => {
    if (!isReplay) saveStudy(study);
  }, [study, isReplay]);
  const write = () => history.replaceState(null, "", addressOf(study));
  // A link to the study that was left has to lead to another address than this one.
  useLayoutEffect(() => {
    if (!isReplay) write();
  }, [queryOf(study), isReplay]);
  useEffect(() => {
    if (isReplay) return;
    // Browsers limit how often the address may change.
    const timer = setTimeout(write, 100);
    return () => clearTimeout(timer);
  }, [study, isReplay]);
  const keys = {
    ArrowLeft: () => go(plyOf(tree, at).parent),
    ArrowRight: () => go(plyOf(tree, at).children[0] ?? at),
    ArrowUp: () => go(sibling(tree, at, -1)),
    ArrowDown: () => go(sibling(tree, at, 1)),
    Home: () => go(START),
    End: () => go(endOf(tree, at)),
    f: () => setFlipped(!isFlipped),
    "Ctrl+z": undo,
  };
  useKeys(editing ? {} : keys, isForPart);
  useKeptFocus();

  const show = (next: Tab) => {
    setTab(next);
    setEditing(next === "set_up" ? parsePosition(game.state.position, study.rules.facts.size) : null);
  };
  const take = async (start: string) => {
    const begun = await beginStudy(study.facts, start);
    replace(isTaken(begun) ? { ...begun, id: newId() } : begun, "set_up");
    show("moves");
  };
  const open = async (record: RecordView) => {
    const title = record.headers.find(({ name }) => name === "Title")?.value;
    // The end of the game is what the engine evaluates first.
    replace(await studyOf(await variantFacts(record.variant, { ...record, title }), record), "read");
  };

  const analysis = useEngine(
    engineQuery(study, game),
    addressOf(study),
    choice,
    editing === null && game.state.turn !== null,
  );
  const best = useBestLineText(analysis.view, game);
  const outcome = outcomeOf(study, game);
  const news = former?.by.at === at && t(`web.analysis.replaced.${former.how}`);
  const turn = outcome ? outcomeText(outcome) : t(`web.analysis.to_move.${game.state.turn}`);
  const state = <p class="state">{refusal ?? [news, turn].filter(Boolean).join(" ")}</p>;
  const arrows = useMemo(() => arrowsOf(analysis), [analysis.view, analysis.threat]);
  return (
    <>
      <h1 class="unseen">{t("page.analysis.title", { name: gameTitle(study.facts) })}</h1>
      <div class="analysis-board">
        <AnalysisBoard
          rules={study.rules}
          game={game}
          isFlipped={isFlipped}
          arrows={arrows}
          move={(move) => tryMoves([move])}
          moves={tree}
          announced={[fault, news, isStep && placeText(game.state.last), turn, best]}
          refused={setRefusal}
          position={editing}
          tool={tool}
          setPosition={setEditing}
        />
        <EvaluationBar line={analysis.view?.lines[0] ?? null} outcome={outcome} isFlipped={isFlipped} />
      </div>
      <div class="beside-column analysis-side">
        <p class="beside-name">
          {study.facts.title || study.facts.family} <span>{study.facts.title ? study.facts.name : study.facts.author}</span>
        </p>
        {isReplay ? (
          <section class="replay" aria-label={t("web.replay")}>
            {players?.some(Boolean) && <h2>{`${displayedName(players[0]) || sideName("attackers")} – ${displayedName(players[1]) || sideName("defenders")}`}</h2>}
            {state}
            <MoveTreeView tree={tree} at={at} go={go} gameAfter={gameAfter} />
            <MoveTreeButtons tree={tree} at={at} go={go} isFlipped={isFlipped} flip={() => setFlipped(!isFlipped)} />
            <div class="buttons">
              <button type="button" onClick={() => setReplay(false)}>
                {t("web.action.analyse")}
              </button>
            </div>
          </section>
        ) : (
          <Tabs tab={tab} show={show}>
            {tab === "moves" && (
              <>
                <EnginePanel
                  analysis={analysis}
                  game={game}
                  choice={choice}
                  choose={(changed) => setChoice({ ...choice, ...changed })}
                  play={tryMoves}
                />
                <div class="row state-line">
                  {state}
                  {former && (
                    <button type="button" onClick={undo}>
                      {t(`web.analysis.undo.${former.how}`)}
                    </button>
                  )}
                  {earlier && tree === first.tree && (
                    <a class="button" href={earlier}>
                      {t("web.analysis.undo.set_up")}
                    </a>
                  )}
                </div>
                {hasBook(study.rules) && <BookPanel rules={study.rules} game={game} play={(move) => tryMoves([move])} />}
                {hasLibrary && <OpeningsPanel study={study} game={game} play={(move) => tryMoves([move])} open={open} />}
                <MoveTreeView tree={tree} at={at} go={go} gameAfter={gameAfter} />
                <MoveTreeButtons tree={tree} at={at} go={go} isFlipped={isFlipped} flip={() => setFlipped(!isFlipped)} />
                <Annotations tree={tree} at={at} set={set} remove={() => replace({ ...study, ...removed(tree, at), isOwn: true }, "removed")} />
              </>
            )}
            {tab === "set_up" && editing && (
              <SetupPanel
                study={study}
                position={editing}
                set={setEditing}
                tool={tool}
                setTool={setTool}
                moves={tree.plies.size - 1}
                done={(start) => void take(start)}
              />
            )}
            {tab === "records" && (
              <div class="records">
                <RecordImport study={study} open={open} showMoves={() => show("moves")} />
                <RecordExport study={study} />
              </div>
            )}
            {tab === "game" && (
              <>
                <VariantForm study={study} games={Object.values(pageVariants())} rules={study.facts.id === first.facts.id ? rules : []} />
                <PositionActions
                  study={study}
                  position={game.state.position}
                  turn={game.state.turn}
                  link={replayAddressOf(study)}
                />
                <EarlierStudies study={study} />
              </>
            )}
          </Tabs>
        )}
      </div>
    </>
  );
}

/** Returns the games of the study, cached as long as the study only grows. */
function useGameCache(study: Study): GameCache {
  const cache = useRef<{ games: GameCache; tree: MoveTree } | null>(null);
  // The plies of another record have other ids.
  const isValid = cache.current?.games.isOf(study) && hasGrown(cache.current.tree, study.tree);
  if (!cache.current || !isValid) cache.current = { games: new GameCache(study), tree: study.tree };
  else cache.current.tree = study.tree;
  return cache.current.games;
}

/** Checks whether plies that two trees have in common are the same. */
function hasGrown(before: MoveTree, after: MoveTree): boolean {
  if (before === after) return true;
  for (const [id, ply] of after.plies) {
    const known = before.plies.get(id);
    // A ply that was removed may come back as another one.
    if (known ? known.move !== ply.move || known.parent !== ply.parent : id < before.next) return false;
  }
  return after.next >= before.next;
}

function engineQuery({ facts, start, tree, at, rules }: Study, game: Game): EngineQuery {
  const moves = pathTo(tree, at).map((ply) => ply.move);
  return { variant: facts.id, switches: facts.switches, start, moves, position: game.state.position, rules };
}

/** Checks whether a key is for the board, for a field, or for the tabs. */
function isForPart({ target, ctrlKey }: KeyboardEvent): boolean {
  const parts = ctrlKey ? "input, select, textarea" : "tafl-board, input, select, textarea, [role=tablist]";
  return (target as HTMLElement).closest(parts) !== null;
}

interface BoardProps {
  readonly rules: Rules;
  readonly game: Game;
  readonly isFlipped: boolean;
  readonly arrows: readonly Arrow[];
  readonly move: (move: string) => void;
  readonly moves: MoveTree;
  readonly announced: Sentences;
  readonly refused: (reason: string) => void;
  /** The position that is being set up; null while moves are tried. */
  readonly position: Position | null;
  readonly tool: Tool;
  readonly setPosition: (position: Position) => void;
}

const AT_ONCE: ShowOptions = { animate: false, announce: false };

/** The board: any legal move can be tried, or a position set up. */
function AnalysisBoard({ rules, game, isFlipped, arrows, move, moves, announced, refused, position, tool, setPosition }: BoardProps) {
  const state = useMemo(
    (): BoardState => (position ? { position: formatPosition(position), turn: position.turn } : { ...game.state, legal: game.legal }),
    [game, position],
  );
  const marks = useMemo(() => (position ? faultMarks(rules, position) : undefined), [position]);
  const play = (text: string) => {
    move(text);
    return true;
  };
  return (
    <Board
      shape={rules.facts}
      state={state}
      {...(position ? { showOptions: AT_ONCE } : {})}
      moves={moves}
      announced={announced}
      isFlipped={isFlipped}
      arrows={position ? undefined : arrows}
      marks={marks}
      game={position ? null : game}
      move={play}
      refused={refused}
      editing={position && { position, tool, change: setPosition }}
    />
  );
}

/** Returns marks on the squares that the rules object to. */
function faultMarks(rules: Rules, position: Position): readonly Mark[] {
  const squares = rules.check(formatPosition(position)).faults.map(({ facts }) => facts["square"] ?? "");
  return squares.filter(Boolean).map((square) => ({ square, kind: "highlight" }));
}

/** The tabs beside the board. */
const TABS = ["moves", "set_up", "records", "game"] as const;
type Tab = (typeof TABS)[number];

interface TabsProps {
  readonly tab: Tab;
  readonly show: (tab: Tab) => void;
  readonly children: ComponentChildren;
}

function Tabs({ tab, show, children }: TabsProps) {
  const step = (event: KeyboardEvent) => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const next = TABS[(TABS.indexOf(tab) + by + TABS.length) % TABS.length];
    if (by === 0 || !next) return;
    event.preventDefault();
    show(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <>
      <div class="tabs bare" role="tablist" aria-label={t("web.analysis.parts")} onKeyDown={step}>
        {TABS.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-selected={name === tab}
            aria-controls="part"
            tabIndex={name === tab ? 0 : -1}
            onClick={() => show(name)}
          >
            {t(`web.analysis.tab.${name}`)}
          </button>
        ))}
      </div>
      <div class="part" id="part" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {children}
      </div>
    </>
  );
}
