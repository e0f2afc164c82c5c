import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import * as web from 'onnxruntime-web';
import { compileKernel, hasFusedMultiplyAdd } from '../../workers/runtime/convolution/kernel.ts';
import { readNetwork } from '../../workers/runtime/convolution/read-network.ts';
import { openConvolutions, type StartHelper } from '../../workers/runtime/convolution/session.ts';
import type { ThreadData } from './convolution-thread.ts';
import { ms, ratio, report, timeMs } from './measure.ts';

interface Network {
  readonly name: string;
  readonly file: string;
  /** Shape of the one input. */
  readonly dims: readonly number[];
  /** Whether tabs run it on our own kernel. */
  readonly isConvolved?: true;
}

const ROOT = join(import.meta.dirname, '../..');
const THREADS = 2;
const ROUNDS = 5;

/** Networks of the slowest runs, each on an input as a run gives it. */
const NETWORKS: readonly Network[] = [
  { name: 'enlarging a tile', file: 'upscale-x2.onnx', dims: [1, 3, 284, 284], isConvolved: true },
  { name: 'enlarging a frame', file: 'upscale-fast-x2.onnx', dims: [1, 3, 540, 540], isConvolved: true },
  { name: 'a voice of 1.6 s', file: 'speakers.onnx', dims: [1, 160, 80] },
  { name: 'eight voices of 1.6 s', file: 'speakers.onnx', dims: [8, 160, 80] },
  { name: 'overlap in 4 s', file: 'overlap.onnx', dims: [1, 400, 80] },
];

/**
 * Prints what the bare libraries take for one network: onnxruntime-web as a tab has it, and onnxruntime-node as the
 * server has it, in this process, with as many threads; and our own kernel where tabs have it instead. No other code of
 * ours runs, so a tab cannot come closer to the server.
 */
export async function benchNetworkFloor(): Promise<void> {
  web.env.wasm.numThreads = THREADS;
  // Node 20 has the instruction that the faster build needs, but not as a matter of course.
  setFlagsFromString('--experimental-wasm-relaxed-simd');
  for (const network of NETWORKS) await compare(network);
}

async function compare({ name, file, dims, isConvolved }: Network): Promise<void> {
  const bytes = new Uint8Array(await readFile(join(ROOT, 'models/weights', file)));
  const native = await InferenceSession.create(bytes, { intraOpNumThreads: THREADS, logSeverityLevel: 4 });
  const wasm = await web.InferenceSession.create(bytes, {
    executionProviders: ['wasm'],
    logSeverityLevel: 4,
  });
  const own = isConvolved ? await openOwn(bytes) : undefined;
  const count = dims.reduce((product, size) => product * size, 1);
  const data = Float32Array.from({ length: count }, (_, at) => ((at * 7919) % 1000) / 999);
  const [input = ''] = native.inputNames;
  const { signal } = new AbortController();
  const ways: Record<string, () => Promise<unknown>> = {
    'onnxruntime-node': () => native.run({ [input]: new Tensor('float32', data, dims) }),
    'onnxruntime-web': () => wasm.run({ [input]: new web.Tensor('float32', data, dims) }),
    ...(own && { 'own kernel': () => own.run({ [input]: { type: 'float32', dims, data } }, signal) }),
  };
  const fastest = new Map<string, number>();
  // The first round takes memory.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [way, run] of Object.entries(ways)) {
      const tookMs = await timeMs(run);
      if (round > 0) fastest.set(way, Math.min(tookMs, fastest.get(way) ?? tookMs));
    }
  }
  const nativeMs = fastest.get('onnxruntime-node') ?? Number.NaN;
  const figures = [...fastest].map(([way, tookMs]) => [way, `${ms(tookMs)} (${ratio(tookMs, nativeMs)})`]);
  report(`${name}, ${THREADS} threads`, Object.fromEntries(figures));
  await Promise.all([native.release(), wasm.release(), own?.release()]);
}

async function openOwn(file: Uint8Array) {
  const build = hasFusedMultiplyAdd() ? 'convolution-fused' : 'convolution';
  const path = join(ROOT, `workers/runtime/convolution/${build}.wasm`);
  const program = await compileKernel(new Uint8Array(await readFile(path)));
  return await openConvolutions({ network: readNetwork(file), program, threadCount: THREADS, startHelper });
}

const startHelper: StartHelper = async (program, memory, index) => {
  const workerData: ThreadData = { program, memory, index };
  const worker = new Worker(new URL('./convolution-thread.ts', import.meta.url), { workerData });
  await once(worker, 'message');
  return {
    async share(plan) {
      worker.postMessage(plan);
      await once(worker, 'message');
    },
    end: () => void worker.terminate(),
  };
};
