import { type Provider, ProviderChain } from '../../../models/core/inference/provider-chain.ts';
import { SessionCache } from '../../../models/core/inference/session-cache.ts';
import type {
  Inference,
  Session,
  WeightOptions,
  WeightSource,
} from '../../../models/core/runtime/inference.ts';
import { fitsGpu, fitsWasm, type InferenceDevice } from '../../../models/core/runtime/inference-device.ts';
import { summedProgress } from '../../../models/core/runtime/progress.ts';
import type { WeightCard } from '../../../models/core/runtime/weight-card.ts';
import { convolutionProvider, isConvolved, kernelBytesToLoad, loadKernel } from '../convolution/provider.ts';
import { type GpuRun, GpuRuns } from './gpu-runs.ts';
import { bytesToLoad, loadOnnx, type OnnxBuild } from './onnx.ts';
import { onnxProvider } from './onnx-provider.ts';
import type { ProviderTimesStore } from './provider-times.ts';

export interface WebInferenceOptions {
  readonly weights: WeightSource;
  readonly device: InferenceDevice;
  /** Absent: a GPU is taken to be faster than WebAssembly. */
  readonly times?: ProviderTimesStore;
}

type Bytes = Uint8Array<ArrayBuffer>;
type ReadWeights = (signal: AbortSignal) => Promise<Bytes>;
type Builds = readonly [first: OnnxBuild, other: OnnxBuild];

const GPU_FIRST: Builds = ['webgpu', 'wasm'];
const WASM_FIRST: Builds = ['wasm', 'webgpu'];
/** Up to this time of a run on the GPU, users do not notice that WebAssembly is faster. */
const FAST_ENOUGH_MS = 50;
/** In the first run, WebAssembly takes its memory. */
const WASM_RUNS = 2;

/**
 * Inference in a browser worker. Models that are not stored on the device are downloaded only on explicit request.
 */
export class WebInference implements Inference {
  readonly #weights: WeightSource;
  readonly #device: InferenceDevice;
  readonly #times: ProviderTimesStore | undefined;
  readonly #gpuRuns = new GpuRuns();
  readonly #cache: SessionCache;

  constructor({ weights, device, times }: WebInferenceOptions) {
    this.#weights = weights;
    this.#device = device;
    this.#times = times;
    this.#cache = new SessionCache({ memoryBytesMax: device.wasmBytesMax });
  }

  async availability(card: WeightCard): Promise<'ready' | 'on-request' | 'unavailable'> {
    if (!fitsGpu(card, this.#device) && !fitsWasm(card, this.#device)) return 'unavailable';
    // Terms that a visitor must see first: only a click on the model takes it.
    if (card.licence.commercial !== undefined) return 'on-request';
    return (await this.#weights.has(card)) ? 'ready' : 'on-request';
  }

  use<Result>(
    card: WeightCard,
    options: WeightOptions,
    work: (session: Session) => Promise<Result>,
  ): Promise<Result> {
    return this.#cache.use(card, () => this.#open(card, options), work);
  }

  read(card: WeightCard, options: WeightOptions): Promise<Bytes> {
    return this.#weights.read(card, options);
  }

  /**
   * Lists the models that ran on the GPU for longer than `fastEnoughMs`, and that WebAssembly was never measured with.
   */
  async listUncompared(fastEnoughMs = FAST_ENOUGH_MS): Promise<readonly GpuRun[]> {
    const times = this.#times;
    if (!times) return [];
    const slow = this.#gpuRuns
      .list()
      .filter(({ card, fastestMs }) => fastestMs > fastEnoughMs && fitsWasm(card, this.#device));
    const found = await Promise.all(slow.map(({ card }) => times.find(card)));
    return slow.filter((_, at) => !found[at]);
  }

  /**
   * Runs a model on WebAssembly with the tensors that it had on the GPU, and keeps both times: from the next session
   * on, the faster one of both comes first. Slow GPUs exist, and are no faster for small models. Only the end of the
   * worker ends a run, and nothing is kept before the last one.
   */
  async compare({ card, fastestMs, feeds, wanted }: GpuRun, signal: AbortSignal): Promise<void> {
    // The GPU's build: it is on this device already.
    const [provider] = this.#wasm(card, GPU_FIRST[0], (ending) =>
      this.#weights.read(card, { signal: ending }),
    );
    const session = await provider.open(signal);
    const times: number[] = [];
    while (times.length < WASM_RUNS) {
      const startedAtMs = performance.now();
      await session.run(feeds, signal, wanted);
      times.push(performance.now() - startedAtMs);
    }
    await session.release();
    signal.throwIfAborted();
    await this.#times?.keep(card, { gpuMs: fastestMs, wasmMs: Math.min(...times) });
  }

  async #open(card: WeightCard, options: WeightOptions): Promise<ProviderChain> {
    let loaded: Bytes | undefined;
    const builds = await this.#builds(card);
    const providers = this.#providers(card, builds, async (signal) => {
      const weights = loaded ?? (await this.#weights.read(card, { signal }));
      // Held as briefly as possible: they may be hundreds of MB. A provider that takes over after a fault reads them
      // again.
      loaded = undefined;
      return weights;
    });
    if (providers.length > 0) loaded = await this.#load(card, builds, options);
    return ProviderChain.open(providers, options.signal);
  }

  /** Loads the weights and the runtime, with one progress over their missing bytes. */
  async #load(
    card: WeightCard,
    [build]: Builds,
    { signal, onProgress = () => {} }: WeightOptions,
  ): Promise<Bytes> {
    const isStored = card.url !== null && (await this.#weights.has(card));
    const part = summedProgress(onProgress);
    const onWeights = part(isStored ? 0 : (card.bytes ?? 0));
    const isOwn = build === 'wasm' && isConvolved(card);
    const onProgram = part(isOwn ? kernelBytesToLoad() : bytesToLoad(build));
    const options = { signal, onProgress: onProgram };
    const program = isOwn ? loadKernel(options) : loadOnnx(build, this.#device.threadCount, options);
    const [weights] = await Promise.all([
      this.#weights.read(card, { signal, onProgress: onWeights }),
      // The provider that needs the program loads it again, and reports its error.
      program.catch(() => {}),
    ]);
    return weights;
  }

  /** Returns the builds in their order: that of the GPU first, unless WebAssembly was measured to be faster. */
  async #builds(card: WeightCard): Promise<Builds> {
    if (!this.#device.gpu) return WASM_FIRST;
    const times = fitsWasm(card, this.#device) ? await this.#times?.find(card) : undefined;
    return times && times.wasmMs < times.gpuMs ? WASM_FIRST : GPU_FIRST;
  }

  /**
   * Lists the GPU, then WebAssembly with all threads, then one thread in the build that has not yet failed to start. The
   * GPU comes after all threads where these are faster.
   */
  #providers(card: WeightCard, [first, other]: Builds, readWeights: ReadWeights): Provider[] {
    const { threadCount } = this.#device;
    const gpu = {
      name: 'webgpu',
      build: 'webgpu',
      executionProvider: 'webgpu',
      threadCount,
      readWeights,
    } as const;
    const onGpu = fitsGpu(card, this.#device) ? [this.#gpuRuns.measured(card, onnxProvider(gpu))] : [];
    if (!fitsWasm(card, this.#device)) return onGpu;
    const threads = this.#wasm(card, first, readWeights);
    const oneThread = {
      ...gpu,
      name: 'wasm with one thread',
      executionProvider: 'wasm',
      threadCount: 1,
    } as const;
    const last = threadCount > 1 ? [onnxProvider({ ...oneThread, build: other })] : [];
    return first === 'webgpu' ? [...onGpu, ...threads, ...last] : [...threads, ...onGpu, ...last];
  }

  /** Lists the ways to run a model on all threads: our own kernel first, where it can. */
  #wasm(card: WeightCard, build: OnnxBuild, readWeights: ReadWeights): readonly [Provider, ...Provider[]] {
    const { threadCount } = this.#device;
    const onnx = (name: string) =>
      onnxProvider({ name, build, executionProvider: 'wasm', threadCount, readWeights });
    if (!isConvolved(card)) return [onnx('wasm')];
    return [convolutionProvider({ name: 'wasm', threadCount, readWeights }), onnx('wasm by onnxruntime')];
  }
}
