import { parseArgs } from 'node:util';
import { describeFailure, isTested } from '../models/acceptance/find-acceptance-status.ts';
import { getMessage } from '../models/core/operation/errors.ts';
import { listFiles } from '../models/core/runtime/fit.ts';
import type { WeightCard } from '../models/core/runtime/weight-card.ts';
import { WEIGHTS } from '../models/registry.ts';
import { type Env, readEnv } from '../server/base/env.ts';
import { AcceptanceStore } from '../server/runtime/acceptance/index.ts';
import { listAllEngines } from '../server/runtime/acceptance/list-all-engines.ts';
import { openWeightStore, type WeightStore } from '../server/runtime/weight-store/index.ts';

const USAGE = `Looks after the weights in DATA_DIR/models.

npm run models -- list [ID...]     what there is, and what of it is here
npm run models -- fetch ID...      download, or resume a download
npm run models -- verify [ID...]   check the SHA-256 of what is here, and tell how its engines did on their samples
npm run models -- remove ID...     delete

ID is one of a list, or an operation such as remove-bg for all of its weights.`;

const megabytes = (bytes: number | null) => (bytes === null ? '? MB' : `${(bytes / 1e6).toFixed(1)} MB`);

/**
 * Finds the cards of the given ids.
 * @throws Error naming an unknown id
 */
function getCards(ids: readonly string[]): readonly WeightCard[] {
  return ids.flatMap((id) => {
    const cards = WEIGHTS.filter((card) => card.id === id || card.operation === id);
    if (cards.length === 0)
      throw new Error(`${id}: there are no such weights. See "npm run models -- list".`);
    return cards;
  });
}

async function list(store: WeightStore, cards: readonly WeightCard[]): Promise<void> {
  const evictions = new Map((await store.evictions()).map(({ id, at }) => [id, at]));
  for (const card of cards) {
    const { state, bytes } = await store.state(card);
    const begun = `begun, ${megabytes(bytes)}`;
    const here = { absent: 'not here', partial: begun, whole: 'here', damaged: 'damaged' }[state];
    const { name, consequence, commercial } = card.licence;
    console.log(`${card.id}  ${card.operation}: ${card.role}  ${megabytes(card.bytes)}  ${here}  ${name}`);
    if (evictions.has(card.id)) console.log(`  deleted to make room for others: ${evictions.get(card.id)}`);
    if (consequence) console.log(`  ${consequence}`);
    if (commercial) console.log(`  commercial use: ${commercial}; needs MODELS_LICENCES=all`);
  }
}

async function fetchAll(store: WeightStore, cards: readonly WeightCard[]): Promise<void> {
  const ending = new AbortController();
  process.once('SIGINT', () =>
    ending.abort(new Error('Stopped. The bytes so far are kept; fetch resumes from there.')),
  );
  const startedAt = new Date().toISOString();
  let shownAtMs = 0;
  await store.fetch(cards, {
    signal: ending.signal,
    retriesRefused: true,
    onProgress({ receivedBytes, totalBytes }) {
      if (Date.now() - shownAtMs < 500 && receivedBytes !== totalBytes) return;
      shownAtMs = Date.now();
      console.log(`${megabytes(receivedBytes)} of ${megabytes(totalBytes)}`);
    },
  });
  for (const { id, bytes, at } of await store.evictions()) {
    if (at >= startedAt) console.log(`${id}  ${megabytes(bytes)} deleted to make room (MODELS_DISK_MB)`);
  }
}

/**
 * Verifies the local files.
 * @returns whether all of them match
 */
async function verify(store: WeightStore, cards: readonly WeightCard[]): Promise<boolean> {
  let isRight = true;
  for (const card of cards) {
    const { state } = await store.state(card);
    if (state === 'absent' || state === 'partial') continue;
    const matches = await store.verify(card);
    console.log(`${card.id}  ${matches ? 'right' : 'DAMAGED: remove it and fetch it again'}`);
    isRight &&= matches;
  }
  return isRight;
}

/**
 * Tells how the engines of local files did on their acceptance samples. A runner measures them.
 * @returns whether none failed
 */
async function printAcceptances(env: Env, cards: readonly WeightCard[]): Promise<boolean> {
  const store = new AcceptanceStore(env);
  const weights = openWeightStore(env);
  let isRight = true;
  for (const { operation, engine } of listAllEngines()) {
    const files = listFiles(engine);
    if (!files.some((card) => cards.includes(card))) continue;
    if (!(await Promise.all(files.map((card) => weights.has(card)))).every(Boolean)) continue;
    const measured = await store.read(operation.id, engine);
    if (!measured) {
      if (isTested(operation, engine))
        console.log(`${engine.id}  not measured yet: a running service does it`);
    } else if (measured.passed) {
      const { measure, figure, floor, seconds, per } = measured;
      console.log(`${engine.id}  ${measure} ${figure} (floor ${floor}), ${seconds} s for a ${per}`);
    } else {
      console.log(`${engine.id}  NOT USED: ${describeFailure(measured)}`);
      isRight = false;
    }
  }
  return isRight;
}

async function main(): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [command = '', ...ids] = positionals;
  const env = readEnv();
  const store = openWeightStore(env);
  const named = getCards(ids);
  const cards = ids.length > 0 ? named : WEIGHTS;
  if (command === 'list') return list(store, cards);
  if (command === 'verify') {
    const isWhole = await verify(store, cards);
    const isGood = await printAcceptances(env, cards);
    if (!isWhole || !isGood) process.exitCode = 1;
    return;
  }
  if ((command !== 'fetch' && command !== 'remove') || ids.length === 0) throw new Error(USAGE);
  if (command === 'fetch') return fetchAll(store, cards);
  for (const card of cards) console.log(`${card.id}  ${megabytes(await store.remove(card))} freed`);
}

try {
  await main();
} catch (error) {
  console.error(getMessage(error));
  process.exitCode = 1;
}
