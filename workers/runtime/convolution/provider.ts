import { wrap } from 'comlink';
import type { Provider } from '../../../models/core/inference/provider-chain.ts';
import type { WeightCard } from '../../../models/core/runtime/weight-card.ts';
import { UPSCALE_WEIGHTS } from '../../../models/operations/upscale/weights.ts';
import { ASSETS, type AssetOptions, loadResponse } from '../assets.ts';
import '../hold-workers.ts';
import type { HelperWorker } from './helper.ts';
import { hasFusedMultiplyAdd, type Program } from './kernel.ts';
import { readNetwork } from './read-network.ts';
import { openConvolutions, type StartHelper } from './session.ts';

/** Networks that the kernel runs: our own upscalers. */
const NETWORKS: ReadonlySet<string> = new Set(
  [
    UPSCALE_WEIGHTS['upscale-x2'],
    UPSCALE_WEIGHTS['upscale-x4'],
    UPSCALE_WEIGHTS['upscale-restore-x2'],
    UPSCALE_WEIGHTS['upscale-fast-x2'],
  ].map(({ sha256 }) => sha256),
);

/** Reports whether the kernel runs a network. */
export function isConvolved({ sha256 }: WeightCard): boolean {
  return NETWORKS.has(sha256);
}

/** Threads that do not start within this time never will. */
const START_TIMEOUT_MS = 10_000;

let loaded: Promise<Program> | undefined;

/** Returns the bytes to load before the kernel can run. */
export function kernelBytesToLoad(): number {
  return loaded ? 0 : kernelAsset().bytes;
}

/**
 * Loads the build of the kernel for this engine, on first use.
 * @throws OperationError `unavailable` when it cannot be loaded, another error when it cannot be compiled; the next call
 *   tries again
 */
export function loadKernel(options: AssetOptions): Promise<Program> {
  if (loaded) return loaded;
  const loading = loadResponse(kernelAsset(), options).then((response) =>
    WebAssembly.compileStreaming(response),
  );
  loaded = loading;
  loading.catch(() => {
    loaded = undefined;
  });
  return loading;
}

function kernelAsset() {
  return hasFusedMultiplyAdd() ? ASSETS.convolutionFused : ASSETS.convolution;
}

export interface ConvolutionProviderOptions {
  /** Display name. */
  readonly name: string;
  readonly threadCount: number;
  readonly readWeights: (signal: AbortSignal) => Promise<Uint8Array<ArrayBuffer>>;
}

/** Creates the kernel's provider of this worker. A run can be aborted only by terminating the worker. */
export function convolutionProvider({
  name,
  threadCount,
  readWeights,
}: ConvolutionProviderOptions): Provider {
  return {
    name,
    async open(signal) {
      const [file, program] = await Promise.all([
        readWeights(signal),
        loadKernel({ signal, onProgress: () => {} }),
      ]);
      return await openConvolutions({ network: readNetwork(file), program, threadCount, startHelper });
    },
  };
}

const startHelper: StartHelper = async (program, memory, index) => {
  const worker = new Worker(ASSETS.convolutionHelper.url, { type: 'module' });
  const helper = wrap<HelperWorker>(worker);
  const failed = new Promise<never>((_, reject) => {
    const fail = () => reject(new Error('a thread did not start'));
    worker.onerror = fail;
    setTimeout(fail, START_TIMEOUT_MS);
  });
  try {
    await Promise.race([helper.open(program, memory, index), failed]);
  } catch (thrown) {
    worker.terminate();
    throw thrown;
  }
  return { share: (plan) => helper.share(plan), end: () => worker.terminate() };
};
