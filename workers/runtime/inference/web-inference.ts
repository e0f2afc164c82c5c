import { type Provider, ProviderChain } from '../../../models/inference/provider-chain.ts';
import { SessionCache } from '../../../models/inference/session-cache.ts';
import type { Inference, Session, WeightOptions, WeightSource } from '../../../models/inference.ts';
import type { WeightCard } from '../../../models/weights/weight-card.ts';
import type { NetworkDevice } from './device.ts';
import { onnxProvider } from './onnx-provider.ts';

export interface WebInferenceOptions {
  readonly weights: WeightSource;
  readonly device: NetworkDevice;
}

/** Networks in a browser worker. What is not stored on the device is downloaded only when it is asked for by name. */
export class WebInference implements Inference {
  readonly #weights: WeightSource;
  readonly #device: NetworkDevice;
  readonly #cache: SessionCache;

  constructor({ weights, device }: WebInferenceOptions) {
    this.#weights = weights;
    this.#device = device;
    this.#cache = new SessionCache({ memoryBytesMax: device.wasmBytesMax });
  }

  async availability(card: WeightCard): Promise<'ready' | 'on-request' | 'unavailable'> {
    if (!this.#fitsGpu(card) && !this.#fitsWasm(card)) return 'unavailable';
    return (await this.#weights.has(card)) ? 'ready' : 'on-request';
  }

  use<Result>(
    card: WeightCard,
    options: WeightOptions,
    work: (session: Session) => Promise<Result>,
  ): Promise<Result> {
    const open = () => ProviderChain.open(this.#providers(card, options), options.signal);
    return this.#cache.use(card, open, work);
  }

  /** The graphics card, then all threads, then one thread in the build that has not yet failed to start. */
  #providers(card: WeightCard, options: WeightOptions): Provider[] {
    const { gpu, threadCount } = this.#device;
    const [first, other] = gpu ? (['webgpu', 'wasm'] as const) : (['wasm', 'webgpu'] as const);
    const readWeights = (signal: AbortSignal) => this.#weights.read(card, { ...options, signal });
    const wasm = { executionProvider: 'wasm', readWeights } as const;
    const providers: Provider[] = [];
    if (this.#fitsGpu(card)) {
      const webgpu = { executionProvider: 'webgpu', readWeights } as const;
      providers.push(onnxProvider({ ...webgpu, name: 'webgpu', build: first, threadCount }));
    }
    if (!this.#fitsWasm(card)) return providers;
    providers.push(onnxProvider({ ...wasm, name: 'wasm', build: first, threadCount }));
    if (threadCount > 1) {
      providers.push(onnxProvider({ ...wasm, name: 'wasm with one thread', build: other, threadCount: 1 }));
    }
    return providers;
  }

  #fitsGpu({ precision, memoryBytes }: WeightCard): boolean {
    const { gpu, gpuBytesMax } = this.#device;
    return gpu !== null && (precision !== 'fp16' || gpu.hasFloat16) && memoryBytes <= gpuBytesMax;
  }

  /** WebAssembly has no 16-bit numbers, and reckons them in 32 bits. */
  #fitsWasm({ memoryBytes }: WeightCard): boolean {
    return memoryBytes <= this.#device.wasmBytesMax;
  }
}
