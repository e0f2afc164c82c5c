import { pause } from '../core/concurrency.ts';
import type { Operation } from '../core/operation/define-operation.ts';
import { OperationError } from '../core/operation/errors.ts';
import type { InputFacts } from '../core/operation/inputs.ts';
import { freeOfCharge } from '../core/operation/operation-price.ts';
import type { OutputFile, RunResult } from '../core/operation/run-result.ts';
import type { Runtime } from '../core/runtime/runtime.ts';
import { crc32 } from '../media/bytes/checksums.ts';
import { openImage } from '../media/image/raster-files.ts';
import { type ForcedOutcome, SLOW_SECONDS } from './forced-outcomes.ts';
import { makeTestFile } from './make-test-file.ts';

/** Name of the engine in every result of a test key. */
export const TEST_ENGINE = 'test';
/** Bytes of a file's start that its seed is made of, with its size. */
const SEED_BYTES = 1_000_000;

/**
 * Creates an operation as a test key sees it: with the same params, checks and limits, but no price and no engine. Its
 * result is made from the input alone, and is the same each time.
 * @param outcome that the address of the input forces on a run
 */
export function createTestOperation(operation: Operation, outcome: ForcedOutcome | null = null): Operation {
  const free = freeOfCharge(operation);
  const { engines: _, engineList: _list, ...rest } = free;
  return {
    ...rest,
    isTest: true,
    price(facts, params) {
      free.price(facts, params);
      return 0n;
    },
    async quote(input, params, media) {
      return { ...(await free.quote(input, params, media)), price: 0n };
    },
    serves: () => true,
    engineNeeds: () => [],
    // No model is loaded.
    limitsFor: (facts, params) => free.limitsFor(facts, params, 0),
    load: async () => {},
    async execute(input, params, runtime) {
      await forceOutcome(outcome, runtime);
      return await makeResult(free, { input, params }, runtime);
    },
  };
}

/** @throws OperationError of a forced failure */
async function forceOutcome(outcome: ForcedOutcome | null, { signal, progress }: Runtime): Promise<void> {
  switch (outcome) {
    case 'failed':
      throw new OperationError('unprocessable', 'The address of the input forces this test job to fail.');
    case 'error':
      throw new OperationError('internal', 'the address of the input forces this test job into an error');
    case 'slow':
      for (let second = 0; second < SLOW_SECONDS; second++) {
        progress({ fraction: second / SLOW_SECONDS });
        await pause(1_000, signal);
      }
  }
}

async function makeResult(
  operation: Operation,
  { input, params }: { readonly input: Blob; readonly params: unknown },
  runtime: Runtime,
): Promise<RunResult> {
  const facts = await readFacts(operation, input, runtime);
  const seed = crc32(
    new TextEncoder().encode(`${input.size} `),
    new Uint8Array(await input.slice(0, SEED_BYTES).arrayBuffer()),
  );
  const { files: described, details = {} } = operation.testResult(facts, params, seed);
  const files: OutputFile[] = [];
  for (const [at, file] of described.entries()) {
    runtime.signal.throwIfAborted();
    files.push(await makeTestFile(file, { input, seed: (seed + at) % 2 ** 32 }, runtime));
    runtime.progress({ fraction: (at + 1) / described.length });
  }
  return { files, engine: TEST_ENGINE, warnings: [], details };
}

/** Reads the facts about an input; the size of an image is that of its upright pixels. */
async function readFacts(operation: Operation, input: Blob, runtime: Runtime): Promise<InputFacts> {
  const facts = await operation.probe(input);
  if (!facts.mediaType.startsWith('image/')) return facts;
  const { width, height } = await openImage(input, runtime);
  const sized = { ...facts, width, height };
  return sized;
}

/** Returns an operation as an actor or a job sees it: in a sandbox it costs nothing, and needs no engine. */
export function operationFor({ isTest }: { readonly isTest: boolean }, operation: Operation): Operation {
  return isTest ? createTestOperation(operation) : operation;
}
