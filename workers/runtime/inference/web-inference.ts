import { fitsGpu, fitsWasm, type InferenceDevice } from '../../../models/device/inference-device.ts';
import { type Provider, ProviderChain } from '../../../models/inference/provider-chain.ts';
import { SessionCache } from '../../../models/inference/session-cache.ts';
import type { Inference, Session, WeightOptions, WeightSource } from '../../../models/runtime/inference.ts';
import type { WeightCard } from '../../../models/runtime/weight-card.ts';
import { bytesToLoad, loadOnnx, type OnnxBuild } from './onnx.ts';
import { onnxProvider } from './onnx-provider.ts';
import { summedProgress } from './summed-progress.ts';

export interface WebInferenceOptions {
  readonly weights: WeightSource;
  readonly device: InferenceDevice;
}

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Inference in a browser worker. Models that are not stored on the device are downloaded only on explicit request.
 */
export class WebInference implements Inference {
  readonly #weights: WeightSource;
  readonly #device: InferenceDevice;
  readonly #cache: SessionCache;

  constructor({ weights, device }: WebInferenceOptions) {
    this.#weights = weights;
    this.#device = device;
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

  async #open(card: WeightCard, options: WeightOptions): Promise<ProviderChain> {
    let loaded: Bytes | undefined;
    const providers = this.#providers(card, async (signal) => {
      const weights = loaded ?? (await this.#weights.read(card, { signal }));
      // Held as briefly as possible: they may be hundreds of MB. A provider that takes over after a fault reads them
      // again.
      loaded = undefined;
      return weights;
    });
    if (providers.length > 0) loaded = await this.#load(card, options);
    return ProviderChain.open(providers, options.signal);
  }

  /** Loads the weights and the runtime, with one progress over their missing bytes. */
  async #load(card: WeightCard, { signal, onProgress = () => {} }: WeightOptions): Promise<Bytes> {
    const [build] = this.#builds;
    const isStored = card.url !== null && (await this.#weights.has(card));
    const part = summedProgress(onProgress);
    const onWeights = part(isStored ? 0 : (card.bytes ?? 0));
    const onProgram = part(bytesToLoad(build));
    const [weights] = await Promise.all([
      this.#weights.read(card, { signal, onProgress: onWeights }),
      // The provider that needs the build loads it again, and reports its error.
      loadOnnx(build, this.#device.threadCount, { signal, onProgress: onProgram }).catch(() => {}),
    ]);
    return weights;
  }

  get #builds(): readonly [first: OnnxBuild, other: OnnxBuild] {
    return this.#device.gpu ? ['webgpu', 'wasm'] : ['wasm', 'webgpu'];
  }

  /** Lists the GPU, then all threads, then one thread in the build that has not yet failed to start. */
  #providers(card: WeightCard, readWeights: (signal: AbortSignal) => Promise<Bytes>): Provider[] {
    const { threadCount } = this.#device;
    const [first, other] = this.#builds;
    const wasm = { executionProvider: 'wasm', readWeights } as const;
    const providers: Provider[] = [];
    if (fitsGpu(card, this.#device)) {
      const webgpu = { executionProvider: 'webgpu', readWeights } as const;
      providers.push(onnxProvider({ ...webgpu, name: 'webgpu', build: first, threadCount }));
    }
    if (!fitsWasm(card, this.#device)) return providers;
    providers.push(onnxProvider({ ...wasm, name: 'wasm', build: first, threadCount }));
    if (threadCount > 1) {
      providers.push(onnxProvider({ ...wasm, name: 'wasm with one thread', build: other, threadCount: 1 }));
    }
    return providers;
  }
}
