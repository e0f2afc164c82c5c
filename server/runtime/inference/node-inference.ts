import { type Provider, ProviderChain } from '../../../models/inference/provider-chain.ts';
import { SessionCache } from '../../../models/inference/session-cache.ts';
import { OperationError } from '../../../models/operation/errors.ts';
import type { Inference, Session, WeightOptions, WeightSource } from '../../../models/runtime/inference.ts';
import type { WeightCard } from '../../../models/runtime/weight-card.ts';
import { RETRY_AFTER_REFUSAL_MS } from '../weight-store/index.ts';
import { findAvailability, type ModelSources } from './availability.ts';
import { onnxProvider } from './onnx-provider.ts';
import { openInferenceProvider } from './open-inference-provider.ts';

export interface NodeInferenceOptions extends ModelSources {
  readonly weights: WeightSource & ModelSources['weights'];
  /**
   * Reports whether a model's session keeps the memory of a run for its next one. Defaults to all but large ones, and
   * those whose card says otherwise.
   */
  readonly keepsMemory?: (card: WeightCard) => boolean;
}

/** Declared memory of a large model: IS-Net, kept, took 1.8 GB in its first run and 3.1 GB in its second. */
const LARGE_BYTES = 1_000_000_000;

function keepsMemoryByCard({ memoryBytes, returnsMemory = false }: WeightCard): boolean {
  return !returnsMemory && memoryBytes < LARGE_BYTES;
}

/** Inference in Node: on an inference server where one is configured, else (or when it fails) in this process. */
export class NodeInference implements Inference {
  readonly #options: NodeInferenceOptions;
  readonly #cache: SessionCache;
  readonly #refusedAtMs = new Map<string, number>();

  constructor(options: NodeInferenceOptions) {
    this.#options = options;
    this.#cache = new SessionCache(options);
  }

  /** Total memory of warm sessions in this process, by their cards. */
  get bytes(): number {
    return this.#cache.bytes;
  }

  /**
   * Returns this inference, with its warm sessions, for a run.
   * @param modelBytesMax memory of the largest model that the run may load into this process
   */
  capped(modelBytesMax = Number.POSITIVE_INFINITY): Inference {
    const memoryBytesMax = Math.min(modelBytesMax, this.#options.memoryBytesMax);
    return {
      availability: (card) => this.availability(card, memoryBytesMax),
      use: (card, options, work) => this.use(card, options, work, memoryBytesMax),
      read: (card, options) => this.read(card, options),
    };
  }

  read(card: WeightCard, options: WeightOptions): Promise<Uint8Array<ArrayBuffer>> {
    return this.#options.weights.read(card, options);
  }

  async availability(
    card: WeightCard,
    memoryBytesMax = this.#options.memoryBytesMax,
  ): Promise<'ready' | 'download' | 'unavailable'> {
    if (this.#wasRefused(card)) return 'unavailable';
    return findAvailability(card, { ...this.#options, memoryBytesMax });
  }

  async use<Result>(
    card: WeightCard,
    options: WeightOptions,
    work: (session: Session) => Promise<Result>,
    memoryBytesMax = this.#options.memoryBytesMax,
  ): Promise<Result> {
    const open = () => ProviderChain.open(this.#providers(card, options, memoryBytesMax), options.signal);
    try {
      return await this.#cache.use(card, open, work);
    } catch (error) {
      // A server that is away may be back for the next run.
      const isLasting = error instanceof OperationError && error.kind !== 'server_unreachable';
      if (isLasting && error.code === 'unavailable') {
        this.#refusedAtMs.set(card.sha256, Date.now());
      }
      throw error;
    }
  }

  #providers(card: WeightCard, options: WeightOptions, memoryBytesMax: number): Provider[] {
    const { weights, endpoints } = this.#options;
    const endpoint = endpoints.get(card.id);
    const remote = endpoint === undefined ? [] : [openInferenceProvider(endpoint)];
    if (card.memoryBytes > memoryBytesMax) return remote;
    const { keepsMemory = keepsMemoryByCard } = this.#options;
    const read = (signal: AbortSignal) => weights.read(card, { ...options, signal });
    return [...remote, onnxProvider('cpu', read, keepsMemory(card))];
  }

  #wasRefused(card: WeightCard): boolean {
    const atMs = this.#refusedAtMs.get(card.sha256);
    return atMs !== undefined && Date.now() - atMs < RETRY_AFTER_REFUSAL_MS;
  }
}
