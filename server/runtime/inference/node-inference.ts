import { onnxSession } from '../../../models/core/inference/onnx-session.ts';
import { type Provider, ProviderChain } from '../../../models/core/inference/provider-chain.ts';
import { SessionCache } from '../../../models/core/inference/session-cache.ts';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type {
  Inference,
  Session,
  WeightOptions,
  WeightSource,
} from '../../../models/core/runtime/inference.ts';
import type { WeightCard } from '../../../models/core/runtime/weight-card.ts';
import { RETRY_AFTER_REFUSAL_MS } from '../weight-store/index.ts';
import { findAvailability, type ModelSources } from './engine-availability.ts';
import { openInferenceProvider } from './open-inference-provider.ts';

export interface NodeInferenceOptions extends ModelSources {
  readonly weights: WeightSource &
    ModelSources['weights'] & {
      /** Keeps a file from being deleted for room while it is used. Returns a function that ends the use. */
      markUse?(card: WeightCard): () => void;
    };
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

  /** Total memory of warm sessions in this process: as measured on this machine, else by their cards. */
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
    const { getMemory } = this.#options;
    const sized = getMemory ? { ...card, memoryBytes: await getMemory(card) } : card;
    const mayLoad = sized.memoryBytes <= memoryBytesMax;
    const open = () => ProviderChain.open(this.#providers(card, options, mayLoad), options.signal);
    const endUse = this.#options.weights.markUse?.(card);
    try {
      return await this.#cache.use(sized, open, work);
    } catch (error) {
      // A server that is away may be back for the next run.
      const isLasting = error instanceof OperationError && error.kind !== 'server_unreachable';
      if (isLasting && error.code === 'unavailable') {
        this.#refusedAtMs.set(card.sha256, Date.now());
      }
      throw error;
    } finally {
      endUse?.();
    }
  }

  /** @param mayLoad whether this process has the memory for the model */
  #providers(card: WeightCard, options: WeightOptions, mayLoad: boolean): Provider[] {
    const { weights, endpoints } = this.#options;
    const endpoint = endpoints.get(card.id);
    const remote = endpoint === undefined ? [] : [openInferenceProvider(endpoint)];
    if (!mayLoad) return remote;
    const { keepsMemory = keepsMemoryByCard } = this.#options;
    const read = (signal: AbortSignal) => weights.read(card, { ...options, signal });
    return [...remote, onnxProvider('cpu', read, keepsMemory(card))];
  }

  #wasRefused(card: WeightCard): boolean {
    const atMs = this.#refusedAtMs.get(card.sha256);
    return atMs !== undefined && Date.now() - atMs < RETRY_AFTER_REFUSAL_MS;
  }
}

/**
 * Creates the onnxruntime provider of this process. A run blocks the event loop for its whole length and cannot be
 * aborted, so it belongs into a child that can be killed.
 * @param executionProvider as onnxruntime names it: `cpu`
 * @param keepsMemory whether a session keeps the memory of a run for its next one
 */
export function onnxProvider(
  executionProvider: string,
  readWeights: (signal: AbortSignal) => Promise<Uint8Array<ArrayBuffer>>,
  keepsMemory = true,
): Provider {
  return {
    name: executionProvider,
    async open(signal) {
      // A process without models never loads the library.
      const { InferenceSession, Tensor } = await import('onnxruntime-node');
      const session = await InferenceSession.create(await readWeights(signal), {
        executionProviders: [executionProvider],
        logSeverityLevel: 4,
        enableCpuMemArena: keepsMemory,
        // Threads that wait in a loop take the cores from the other runs of the machine.
        extra: { session: { intra_op: { allow_spinning: '0' } } },
      });
      return onnxSession(session, (type, data, dims) => new Tensor(type, data, dims));
    },
  };
}
