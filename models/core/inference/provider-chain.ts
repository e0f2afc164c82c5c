import { getMessage, OperationError } from '../operation/errors.ts';
import type { InferenceResult } from '../runtime/inference.ts';
import { formatWarning, type RunWarning } from '../runtime/run-warnings.ts';
import { findInvalidValues, type Tensor, type TensorSpec } from '../runtime/tensor.ts';
import { isOutOfMemory } from './model-errors.ts';
import type { OpenSession } from './session-cache.ts';

type Tensors = Readonly<Record<string, Tensor>>;

/** Session on one provider. */
export interface ProviderSession {
  readonly inputs: readonly TensorSpec[];
  readonly outputs: readonly TensorSpec[];
  /** @param wanted names of the outputs; all when absent */
  run(feeds: Tensors, signal: AbortSignal, wanted?: readonly string[]): Promise<Tensors>;
  /** Frees its memory. */
  release(): Promise<void>;
}

/** Backend that runs a graph: an execution provider of onnxruntime, or an inference server. */
export interface Provider {
  readonly name: string;
  open(signal: AbortSignal): Promise<ProviderSession>;
}

/** Reason why a provider was dropped. */
interface ProviderFault {
  readonly text: string;
  /** Whether the provider runs elsewhere, and may be there again later. */
  readonly isUnreachable: boolean;
}

interface Opened {
  readonly name: string;
  readonly session: ProviderSession;
}

/**
 * Session on the first provider that works. A provider that cannot open the graph, throws (a lost GPU device, too
 * little memory) or computes nonsense is dropped, and the same run continues on the next.
 */
export class ProviderChain implements OpenSession {
  readonly #waiting: Provider[];
  /** Faults that the user has not been told yet. */
  #faults: ProviderFault[] = [];
  #current: Opened;
  #isFallback: boolean;
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(waiting: Provider[], faults: ProviderFault[], first: Opened) {
    this.#waiting = waiting;
    this.#faults = faults;
    this.#current = first;
    this.#isFallback = faults.length > 0;
  }

  /**
   * Opens a session on the first provider that can.
   * @param providers best first
   * @throws OperationError `unavailable` when none can open the graph
   */
  static async open(providers: readonly Provider[], signal: AbortSignal): Promise<ProviderChain> {
    const waiting = [...providers];
    const faults: ProviderFault[] = [];
    return new ProviderChain(waiting, faults, await openNext(waiting, faults, signal));
  }

  get inputs(): readonly TensorSpec[] {
    return this.#current.session.inputs;
  }

  get outputs(): readonly TensorSpec[] {
    return this.#current.session.outputs;
  }

  get isFallback(): boolean {
    return this.#isFallback;
  }

  run(feeds: Tensors, signal: AbortSignal, wanted?: readonly string[]): Promise<InferenceResult> {
    const result = this.#turn.then(() => this.#run(feeds, signal, wanted));
    this.#turn = result.catch(() => {});
    return result;
  }

  async release(): Promise<void> {
    await this.#current.session.release();
  }

  async #run(feeds: Tensors, signal: AbortSignal, wanted?: readonly string[]): Promise<InferenceResult> {
    for (;;) {
      signal.throwIfAborted();
      const { name, session } = this.#current;
      try {
        const outputs = await session.run(feeds, signal, wanted);
        const fault = this.#getFault(outputs);
        if (!fault) return { outputs, provider: name, notices: this.#takeNotices(name) };
        this.#faults.push({ text: `${name} ${fault}`, isUnreachable: false });
      } catch (cause) {
        if (signal.aborted) throw cause;
        // The session stays: a caller that can may run it on less.
        if (this.#waiting.length === 0 && isOutOfMemory(cause)) throw outOfMemory(name, cause);
        this.#faults.push(getFault(`${name} failed`, cause));
      }
      this.#isFallback = true;
      // A provider that has failed may fail at this as well; its resources are lost with it.
      await session.release().catch(() => {});
      this.#current = await openNext(this.#waiting, this.#faults, signal);
    }
  }

  #getFault(outputs: Tensors): string | null {
    const faults = Object.values(outputs).map(findInvalidValues);
    if (faults.includes('nan')) return 'computed values that are no numbers';
    // All zeros may be correct (an image without a subject): the last provider is trusted.
    const isZero = faults.length > 0 && faults.every((fault) => fault === 'zeros');
    return isZero && this.#waiting.length > 0 ? 'computed nothing but zeros' : null;
  }

  #takeNotices(used: string): RunWarning[] {
    const notices = this.#faults.map(({ text }) => formatWarning('other_provider', text, used));
    this.#faults = [];
    return notices;
  }
}

async function openNext(waiting: Provider[], faults: ProviderFault[], signal: AbortSignal): Promise<Opened> {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    try {
      return { name: next.name, session: await next.open(signal) };
    } catch (cause) {
      // A single provider's own error is the clearest.
      const isAlone = waiting.length === 0 && faults.length === 0;
      if (signal.aborted || (isAlone && cause instanceof OperationError)) throw cause;
      faults.push(getFault(`${next.name} cannot open the model`, cause));
    }
  }
  throw new OperationError(
    'unavailable',
    `No engine can run the model: ${faults.map(({ text }) => text).join('; ')}.`,
    {
      kind: faults.some(({ isUnreachable }) => isUnreachable) ? 'server_unreachable' : 'model_unusable',
    },
  );
}

function getFault(what: string, cause: unknown): ProviderFault {
  const isUnreachable = cause instanceof OperationError && cause.kind === 'server_unreachable';
  return { text: `${what} (${getReason(cause)})`, isUnreachable };
}

function outOfMemory(name: string, cause: unknown): OperationError {
  return new OperationError('unavailable', `${name} has too little memory for the model.`, {
    kind: 'out_of_memory',
    cause,
  });
}

function getReason(cause: unknown): string {
  // Our messages are short; those of a runtime run on for pages.
  if (cause instanceof OperationError) return cause.message.replace(/\.$/, '');
  const text = getMessage(cause);
  return (text.split('\n', 1)[0] ?? '').slice(0, 200);
}
