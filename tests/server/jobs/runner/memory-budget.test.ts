import { beforeEach, describe, expect, test } from 'vitest';
import type { Lane } from '../../../../models/core/operation/job.ts';
import { isBackground } from '../../../../server/jobs/runner/lanes.ts';
import { MemoryBudget } from '../../../../server/jobs/runner/memory-budget.ts';

const { signal } = new AbortController();
const SLOTS = { interactive: 9, long: 9, verdict: 9, batch: 9 };
let budget: MemoryBudget;
let nowMs: number;
let running: string[];
let ends: Map<string, () => void>;

beforeEach(() => {
  nowMs = 0;
  running = [];
  ends = new Map();
  budget = new MemoryBudget({ bytesMax: 100, slots: SLOTS, isBackground, nowMs: () => nowMs });
});

const settle = () => new Promise((resolve) => setImmediate(resolve));

async function ask(name: string, lane: Lane, bytes: number): Promise<void> {
  void budget.acquire(lane, bytes, { signal }).then((release) => {
    running.push(name);
    ends.set(name, () => {
      running.splice(running.indexOf(name), 1);
      release();
    });
  });
  await settle();
}

async function end(name: string): Promise<void> {
  ends.get(name)?.();
  await settle();
}

describe('a memory budget', () => {
  test('admits runs that fit together, and no more', async () => {
    await ask('a', 'interactive', 60);
    await ask('b', 'interactive', 40);
    await ask('c', 'interactive', 1);
    expect(running).toEqual(['a', 'b']);
    await end('b');
    expect(running).toEqual(['a', 'c']);
  });

  test('lets a small run pass a large one of its lane that has no room, for 20 s', async () => {
    await ask('a', 'interactive', 60);
    await ask('large', 'interactive', 70);
    await ask('small', 'interactive', 10);
    expect(running).toEqual(['a', 'small']);
    nowMs = 20_000;
    await ask('late', 'interactive', 10);
    expect(running).toEqual(['a', 'small']);
    await end('a');
    expect(running).toEqual(['small', 'large', 'late']);
  });

  test('gives a lane no more than its slots, and none of them to a run without memory', async () => {
    budget = new MemoryBudget({ bytesMax: 100, slots: { ...SLOTS, interactive: 2 }, isBackground });
    await ask('a', 'interactive', 60);
    await ask('large', 'interactive', 70);
    await ask('next large', 'interactive', 70);
    for (const name of ['b', 'c']) await ask(name, 'interactive', 5);
    expect(running).toEqual(['a', 'b']);
    await ask('verdict', 'verdict', 5);
    expect(running).toEqual(['a', 'b', 'verdict']);
    await end('b');
    expect(running).toEqual(['a', 'verdict', 'c']);
  });

  test('leaves a slot of a lane to other accounts than the one that has all it may', async () => {
    budget = new MemoryBudget({
      bytesMax: 100,
      slots: { ...SLOTS, batch: 3 },
      isBackground,
      accountSlots: { batch: 2 },
    });
    for (const accountId of ['a', 'a', 'a', 'b', 'b']) {
      void budget.acquire('batch', 1, { signal, accountId }).then(() => running.push(accountId));
    }
    await settle();
    expect(running).toEqual(['a', 'a', 'b']);
  });

  test('starts the run of a lane whose order is the lowest by now', async () => {
    budget = new MemoryBudget({ bytesMax: 100, slots: { ...SLOTS, interactive: 1 }, isBackground });
    await ask('a', 'interactive', 1);
    let order = 1;
    void budget.acquire('interactive', 1, { signal, order: () => order }).then(() => running.push('first'));
    void budget.acquire('interactive', 1, { signal, order: () => 2 }).then(() => running.push('second'));
    order = 3;
    await end('a');
    expect(running).toEqual(['second']);
  });

  test('admits runs that fit next to a long run before larger ones', async () => {
    await ask('film', 'long', 70);
    await ask('large', 'interactive', 60);
    await ask('small', 'interactive', 20);
    expect(running).toEqual(['film', 'small']);
    nowMs = 30_000;
    await ask('tiny', 'interactive', 5);
    expect(running).toEqual(['film', 'small', 'tiny']);
    await ask('next small', 'interactive', 20);
    await end('film');
    expect(running).toEqual(['small', 'tiny', 'large']);
  });

  test('reserves a quarter, and at most 1 GB, for an image next to a single long run', () => {
    expect(budget.backgroundBytesMax).toBe(75);
    expect(new MemoryBudget({ bytesMax: 6e9, slots: SLOTS, isBackground }).backgroundBytesMax).toBe(5e9);
  });

  test('admits a run alone when it exceeds the budget', async () => {
    await ask('a', 'interactive', 10);
    await ask('huge', 'long', 700);
    expect(running).toEqual(['a']);
    await end('a');
    expect(running).toEqual(['huge']);
    await ask('b', 'interactive', 1);
    expect(running).toEqual(['huge']);
    await end('huge');
    expect(running).toEqual(['b']);
  });

  test('limits long runs and batches to half of it', async () => {
    for (const [at, lane] of (['long', 'batch', 'long', 'batch'] as const).entries()) {
      await ask(`background ${at}`, lane, 25);
    }
    expect(running).toHaveLength(2);
    await ask('image', 'interactive', 50);
    expect(running).toHaveLength(3);
  });

  test('admits a single long run above half of it', async () => {
    await ask('film', 'long', 80);
    await ask('item', 'batch', 5);
    await ask('image', 'interactive', 20);
    expect(running).toEqual(['film', 'image']);
  });

  test('serves verdicts first, then interactive runs, then long runs, then batches', async () => {
    await ask('a', 'interactive', 100);
    for (const lane of ['batch', 'long', 'interactive', 'verdict'] as const) await ask(lane, lane, 50);
    await end('a');
    expect(running).toEqual(['verdict', 'interactive']);
    await end('verdict');
    expect(running).toEqual(['interactive', 'long']);
    await end('long');
    expect(running).toEqual(['interactive', 'batch']);
  });

  test('does not let short runs overtake one that has waited long for them', async () => {
    await ask('a', 'interactive', 60);
    await ask('film', 'long', 90);
    await ask('b', 'interactive', 30);
    expect(running).toEqual(['a', 'b']);
    nowMs = 30_000;
    await end('b');
    await ask('c', 'interactive', 10);
    expect(running).toEqual(['a']);
    await end('a');
    expect(running).toEqual(['film', 'c']);
  });

  test('lets short runs overtake one that waits for long runs, however long it has waited', async () => {
    await ask('film', 'long', 50);
    await ask('next film', 'long', 50);
    nowMs = 30_000;
    await ask('image', 'interactive', 50);
    expect(running).toEqual(['film', 'image']);
  });

  test('admits no more long runs while a short run has waited long for them', async () => {
    await ask('film', 'long', 40);
    await ask('huge image', 'interactive', 90);
    nowMs = 30_000;
    await ask('item', 'batch', 5);
    expect(running).toEqual(['film']);
    await end('film');
    expect(running).toEqual(['huge image', 'item']);
  });

  test('drops an aborted request, and admits the one behind it', async () => {
    await ask('a', 'interactive', 60);
    const impatient = new AbortController();
    const waiting = budget.acquire('interactive', 90, { signal: impatient.signal });
    nowMs = 20_000;
    await ask('b', 'interactive', 30);
    expect(running).toEqual(['a']);
    impatient.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    await settle();
    expect(running).toEqual(['a', 'b']);
    await expect(budget.acquire('verdict', 1, { signal: impatient.signal })).rejects.toThrow('stopped');
  });
});
