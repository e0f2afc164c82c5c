import { openAsBlob } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { measureEngine } from '../../../models/acceptance/measure-engine.ts';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { OPERATIONS } from '../../../models/registry.ts';
import { readEnv } from '../../../server/base/env.ts';
import { watchPeakMemory } from '../../../server/runtime/acceptance/node-acceptances.ts';
import { NodeInference } from '../../../server/runtime/inference/node-inference.ts';
import { createNodeRuntime } from '../../../server/runtime/node-runtime.ts';
import { openWeightStore } from '../../../server/runtime/weight-store/index.ts';
import { withStandIns } from './weights.ts';

/** Process that runs one engine three times in a row, and prints a row: operation, engine and `kept` or `returned`. */

const SAMPLES = fileURLToPath(new URL('../../../public/acceptance/', import.meta.url));
const JOBS = 3;

const [operationId = '', engine = '', mode = ''] = process.argv.slice(2);
const operation = Object.values<Operation>(OPERATIONS).find(({ id }) => id === operationId);
if (!operation) throw new Error(`${operationId}: no such operation`);
const inference = new NodeInference({
  weights: withStandIns(openWeightStore(readEnv())),
  endpoints: new Map(),
  memoryBytesMax: Number.POSITIVE_INFINITY,
  keepsMemory: () => mode === 'kept',
});
const { signal } = new AbortController();

async function main(tested: Operation): Promise<void> {
  const beforeBytes = process.memoryUsage.rss();
  const cells: string[] = [];
  for (let job = 0; job < JOBS; job++) {
    const startedAtMs = performance.now();
    const peakBytes = await watchPeakMemory();
    const heldBytes = process.memoryUsage.rss() - beforeBytes;
    await measureEngine(tested, engine, {
      runtime: createNodeRuntime({ signal, inference }),
      sample: (name) => openAsBlob(`${SAMPLES}${name}`),
    });
    cells.push(
      ((performance.now() - startedAtMs) / 1000).toFixed(1),
      megabytes(heldBytes + (await peakBytes())),
    );
  }
  globalThis.gc?.();
  const left = megabytes(process.memoryUsage.rss() - beforeBytes);
  console.log(`| ${engine} | ${mode} | ${cells.join(' | ')} | ${left} |`);
}

function megabytes(bytes: number): string {
  return String(Math.round(bytes / 1e6));
}

await main(operation);
process.exit(0);
