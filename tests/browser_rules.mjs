// Plays whole games on the browser's rules: one line of JSON in, one line with what was seen at every ply out.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const { files } = JSON.parse(readFileSync(`${folder}/manifest.json`, "utf8"));
const { FaultyRules, Refused, Rules, loadCore } = await import(pathToFileURL(`${folder}/${files["rules.js"]}`).href);
await loadCore(readFileSync(`${folder}/${files["rules.wasm"]}`));

function seen(game) {
  const { last, ...state } = game.state;
  return { ...state, last, legal: game.legal };
}

function refusal(attempt) {
  try {
    attempt();
    return null;
  } catch (error) {
    if (error instanceof Refused) return error.refusal;
    return { error: String(error) };
  }
}

/** A game: `tree`, `calls`, `setup`, and for each ply the `move`, the `call`, and moves to be refused. */
async function answer({ tree, calls, setup, plies }) {
  const rules = await Rules.load(tree);
  let game = rules.newGame({ calls, ...(setup ? { setup } : {}) });
  const plain = rules.newGame(setup ? { setup } : {});
  const answers = [{ seen: seen(game), facts: rules.facts, plain: plain.state.position }];
  for (const { move, call, refused } of plies) {
    const refusals = refused.map((text) => refusal(() => game.play(text)));
    const described = refused.map((text) => refusal(() => game.describe(text)));
    const { outcome, ...description } = game.describe(move);
    game = game.play(move, call);
    answers.push({ refusals, described, description, seen: seen(game) });
  }
  return answers;
}

for await (const line of createInterface({ input: process.stdin })) {
  const told = await answer(JSON.parse(line)).catch((error) =>
    error instanceof FaultyRules ? error.faults : { error: String(error.stack ?? error) },
  );
  process.stdout.write(`${JSON.stringify(told)}\n`);
}
