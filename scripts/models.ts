import { parseArgs } from 'node:util';
import { messageOf } from '../models/operation/errors.ts';
import { WEIGHTS } from '../models/registry.ts';
import type { WeightCard } from '../models/runtime/weight-card.ts';
import { readEnv } from '../server/base/env.ts';
import { openWeightStore, type WeightStore } from '../server/runtime/weight-store/index.ts';

const USAGE = `Looks after the weights in DATA_DIR/models.

npm run models -- list [ID...]     what there is, and what of it is here
npm run models -- fetch ID...      download, or resume a download
npm run models -- verify [ID...]   check the SHA-256 of what is here
npm run models -- remove ID...     delete

ID is one of a list, or an operation such as remove-bg for all of its weights.`;

const megabytes = (bytes: number | null) => (bytes === null ? '? MB' : `${(bytes / 1e6).toFixed(1)} MB`);

/**
 * Finds the cards of the given ids.
 * @throws Error naming an unknown id
 */
function cardsOf(ids: readonly string[]): readonly WeightCard[] {
  return ids.flatMap((id) => {
    const cards = WEIGHTS.filter((card) => card.id === id || card.operation === id);
    if (cards.length === 0)
      throw new Error(`${id}: there are no such weights. See "npm run models -- list".`);
    return cards;
  });
}

async function list(store: WeightStore, cards: readonly WeightCard[]): Promise<void> {
  for (const card of cards) {
    const { state, bytes } = await store.state(card);
    const begun = `begun, ${megabytes(bytes)}`;
    const here = { absent: 'not here', partial: begun, whole: 'here', damaged: 'damaged' }[state];
    const { name, consequence } = card.licence;
    console.log(`${card.id}  ${card.operation}: ${card.role}  ${megabytes(card.bytes)}  ${here}  ${name}`);
    if (consequence) console.log(`  ${consequence}`);
  }
}

async function fetchAll(store: WeightStore, cards: readonly WeightCard[]): Promise<void> {
  const ending = new AbortController();
  process.once('SIGINT', () =>
    ending.abort(new Error('Stopped. The bytes so far are kept; fetch resumes from there.')),
  );
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

async function main(): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [command = '', ...ids] = positionals;
  const store = openWeightStore(readEnv());
  const named = cardsOf(ids);
  const cards = ids.length > 0 ? named : WEIGHTS;
  if (command === 'list') return list(store, cards);
  if (command === 'verify') {
    if (!(await verify(store, cards))) process.exitCode = 1;
    return;
  }
  if ((command !== 'fetch' && command !== 'remove') || ids.length === 0) throw new Error(USAGE);
  if (command === 'fetch') return fetchAll(store, cards);
  for (const card of cards) console.log(`${card.id}  ${megabytes(await store.remove(card))} freed`);
}

try {
  await main();
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
