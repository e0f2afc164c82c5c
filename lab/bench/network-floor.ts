import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import * as web from 'onnxruntime-web';
import { ms, ratio, report, timeMs } from './measure.ts';

interface Network {
  readonly name: string;
  readonly file: string;
  /** Shape of the one input. */
  readonly dims: readonly number[];
}

const WEIGHTS = join(import.meta.dirname, '../../models/weights');
const THREADS = 2;
const ROUNDS = 5;

/** Networks of the slowest runs, each on an input as a run gives it. */
const NETWORKS: readonly Network[] = [
  { name: 'enlarging a tile', file: 'upscale-x2.onnx', dims: [1, 3, 284, 284] },
  { name: 'a voice of 1.6 s', file: 'speakers.onnx', dims: [1, 160, 80] },
  { name: 'eight voices of 1.6 s', file: 'speakers.onnx', dims: [8, 160, 80] },
  { name: 'overlap in 4 s', file: 'overlap.onnx', dims: [1, 400, 80] },
];

/**
 * Prints what the bare libraries take for one network: onnxruntime-web as a tab has it, and onnxruntime-node as the
 * server has it, in this process, with as many threads. No code of ours runs, so a tab cannot come closer to the
 * server.
 */
export async function benchNetworkFloor(): Promise<void> {
  web.env.wasm.numThreads = THREADS;
  for (const network of NETWORKS) {
    const bytes = new Uint8Array(await readFile(join(WEIGHTS, network.file)));
    const [native, wasm] = [
      await InferenceSession.create(bytes, { intraOpNumThreads: THREADS, logSeverityLevel: 4 }),
      await web.InferenceSession.create(bytes, { executionProviders: ['wasm'], logSeverityLevel: 4 }),
    ];
    const count = network.dims.reduce((product, size) => product * size, 1);
    const data = Float32Array.from({ length: count }, (_, at) => ((at * 7919) % 1000) / 999);
    const [input = ''] = native.inputNames;
    const times: { native: number[]; wasm: number[] } = { native: [], wasm: [] };
    // The first round takes memory.
    for (let round = 0; round <= ROUNDS; round++) {
      const nativeMs = await timeMs(() => native.run({ [input]: new Tensor('float32', data, network.dims) }));
      const wasmMs = await timeMs(() => wasm.run({ [input]: new web.Tensor('float32', data, network.dims) }));
      if (round > 0) {
        times.native.push(nativeMs);
        times.wasm.push(wasmMs);
      }
    }
    const [nativeMs, wasmMs] = [Math.min(...times.native), Math.min(...times.wasm)];
    report(`${network.name}, ${THREADS} threads`, {
      'onnxruntime-web': ms(wasmMs),
      'onnxruntime-node': ms(nativeMs),
      ratio: ratio(wasmMs, nativeMs),
    });
    await Promise.all([native.release(), wasm.release()]);
  }
}
