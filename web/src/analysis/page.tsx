// The analysis: the board, beside it what the engine says and the tree of moves; positions and records in and out.

import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { outcomeText } from "../game/callout.tsx";
import type { GameFacts } from "../game/facts.ts";
import type { RecordView } from "../messages.ts";
import type { Game } from "../rules.ts";
import { t } from "../texts.ts";
import { AnalysisBoard, type Tool } from "./board.tsx";
import { Chooser, Onwards, type RuleChoice } from "./chooser.tsx";
import { type Asked, useEngine } from "./engine.ts";
import { arrowsOf, Balance, type EngineChoice, EnginePanel } from "./lines.tsx";
import { MoveTree, TreeSteps } from "./moves.tsx";
import { Notes } from "./notes.tsx";
import { Openings } from "./openings.tsx";
import { type Position, positionOf } from "./position.ts";
import { Records } from "./records.tsx";
import { SetUp } from "./setup.tsx";
import { addressOf, begin, factsOf, Games, keep, opened, type Study } from "./study.ts";
import { type Tab, Tabs } from "./tabs.tsx";
import { endOf, pathTo, play, plyOf, sibling, START, type Tree } from "./tree.ts";

interface Props {
  readonly first: Study;
  readonly known: Readonly<Record<string, GameFacts>>;
  readonly rules: readonly RuleChoice[];
  /** What is wrong with the position that the address named. */
  readonly fault: string | null;
  /** Whether the server has a library of games. */
  readonly hasLibrary: boolean;
}

export function AnalysisPage({ first, known, rules, fault, hasLibrary }: Props) {
  const [study, setStudy] = useState(first);
  const [tab, setTab] = useState<Tab>("moves");
  const [editing, setEditing] = useState<Position | null>(null);
  const [tool, setTool] = useState<Tool>("hand");
  const [isFlipped, setFlipped] = useState(false);
  const [why, setWhy] = useState(fault);
  const [choice, setChoice] = useState<EngineChoice>({ isOn: false, lines: 3, threats: false });
  const games = useGames(study);
  const { tree, at } = study;
  const game = games.after(tree, at);
  const gameAfter = useCallback((id: number) => games.after(tree, id), [games, tree]);

  const set = useCallback((changed: Tree, to: number) => {
    setWhy(null);
    setStudy((was) => ({ ...was, tree: changed, at: to }));
  }, []);
  const go = useCallback((to: number) => {
    setWhy(null);
    setStudy((was) => ({ ...was, at: to }));
  }, []);
  const tryMoves = (moves: readonly string[]) => {
    const [grown, end] = moves.reduce<[Tree, number]>(([so, far], move) => play(so, far, move), [tree, at]);
    set(grown, end);
  };
  useEffect(() => {
    keep(study);
    // Browsers refuse to change the address too often.
    const timer = setTimeout(() => history.replaceState(null, "", addressOf(study)), 100);
    return () => clearTimeout(timer);
  }, [study]);
  const steps = {
    ArrowLeft: () => go(plyOf(tree, at).parent),
    ArrowRight: () => go(plyOf(tree, at).children[0] ?? at),
    ArrowUp: () => go(sibling(tree, at, -1)),
    ArrowDown: () => go(sibling(tree, at, 1)),
    Home: () => go(START),
    End: () => go(endOf(tree, at)),
    f: () => setFlipped(!isFlipped),
  };
  useTreeKeys(steps, editing === null);

  const show = (next: Tab) => {
    setTab(next);
    setEditing(next === "set_up" ? positionOf(game.state.position, study.rules.facts.size) : null);
  };
  const take = async (start: string) => {
    setStudy(await begin(study.facts, start));
    setTab("moves");
    setEditing(null);
  };
  const open = async (record: RecordView) => {
    const facts = await factsOf(known, record.variant, record.switches);
    setStudy(await opened(facts, record));
  };

  const found = useEngine(
    asked(study, game),
    addressOf(study),
    choice.lines,
    choice.isOn && editing === null && game.state.turn !== null,
    choice.threats,
  );
  const arrows = useMemo(() => arrowsOf(found), [found.view, found.threat]);
  return (
    <>
      <h1 class="unseen">{t("page.analysis.title", { name: study.facts.name })}</h1>
      <div class="analysis-board">
        <AnalysisBoard
          rules={study.rules}
          game={game}
          isFlipped={isFlipped}
          arrows={arrows}
          move={(move) => tryMoves([move])}
          refused={setWhy}
          editing={editing}
          tool={tool}
          edit={setEditing}
        />
        <Balance line={found.view?.lines[0] ?? null} isFlipped={isFlipped} />
      </div>
      <div class="beside-column analysis-side">
        <p class="beside-name">
          {study.facts.family} <span>{study.facts.author}</span>
        </p>
        <Tabs tab={tab} show={show}>
          {tab === "moves" && (
            <>
              <EnginePanel
                found={found}
                game={game}
                choice={choice}
                choose={(changed) => setChoice({ ...choice, ...changed })}
                play={tryMoves}
              />
              <State game={game} why={why} />
              {hasLibrary && <Openings study={study} game={game} play={(move) => tryMoves([move])} open={open} />}
              <MoveTree tree={tree} at={at} go={go} gameAfter={gameAfter} />
              <TreeSteps tree={tree} at={at} go={go} flip={() => setFlipped(!isFlipped)} />
              <Notes tree={tree} at={at} set={set} />
            </>
          )}
          {tab === "set_up" && editing && (
            <SetUp
              study={study}
              position={editing}
              set={setEditing}
              tool={tool}
              setTool={setTool}
              moves={tree.plies.size - 1}
              done={(start) => void take(start)}
            />
          )}
          {tab === "records" && <Records study={study} open={open} />}
          {tab === "game" && (
            <>
              <Chooser study={study} games={Object.values(known)} rules={study.facts.id === first.facts.id ? rules : []} />
              <Onwards study={study} position={game.state.position} turn={game.state.turn} />
            </>
          )}
        </Tabs>
      </div>
    </>
  );
}

/** The games of the study, kept as long as it only grows. */
function useGames(study: Study): Games {
  const kept = useRef<{ games: Games; tree: Tree } | null>(null);
  // A record that was opened counts its plies anew.
  const goesOn = kept.current?.games.isOf(study) && kept.current.tree.plies.size > 0 && shares(kept.current.tree, study.tree);
  if (!kept.current || !goesOn) kept.current = { games: new Games(study), tree: study.tree };
  else kept.current.tree = study.tree;
  return kept.current.games;
}

/** Whether two trees are of the same growth: the plies they have in common are the same ones. */
function shares(before: Tree, after: Tree): boolean {
  if (before === after) return true;
  for (const [id, ply] of after.plies) {
    const known = before.plies.get(id);
    if (known && (known.move !== ply.move || known.parent !== ply.parent)) return false;
  }
  return after.next >= before.next;
}

function asked({ facts, start, tree, at, rules }: Study, game: Game): Asked {
  const moves = pathTo(tree, at).map((ply) => ply.move);
  return { variant: facts.id, switches: facts.switches, start, moves, position: game.state.position, rules };
}

/** Whose turn it is, how it ended, or why a move was not possible. */
function State({ game, why }: { readonly game: Game; readonly why: string | null }) {
  const { turn, outcome } = game.state;
  const said = outcome ? outcomeText(outcome) : t(`web.analysis.to_move.${turn}`);
  return (
    <p class="state" role="status">
      {why ?? said}
    </p>
  );
}

/** Left and right go along the line, up and down to the other lines, Home and End to its ends, f turns the board. */
function useTreeKeys(steps: Readonly<Record<string, () => void>>, isOn: boolean): void {
  // What was drawn last counts, however fast the keys come.
  const latest = useRef({ steps, isOn });
  latest.current = { steps, isOn };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      const isElsewhere = target.closest("tafl-board, input, select, textarea, [role=tablist]") !== null;
      const step = latest.current.steps[event.key];
      if (!latest.current.isOn || isElsewhere || !step || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      step();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}
