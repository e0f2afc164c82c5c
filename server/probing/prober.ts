import { OperationError } from '../../models/errors.ts';
import type { InputFacts } from '../../models/operation.ts';
import { createSemaphore } from '../../models/semaphore.ts';
import { KeyedSemaphores } from '../keyed-semaphores.ts';
import type { Logger } from '../log.ts';
import { ProbeChild, type ProbeEnd } from './probe-child.ts';
import type { ProbeRequest } from './protocol.ts';

export interface ProbeOptions {
  /** Account, or network of a client without one. Its probes run one after the other. */
  readonly owner: string;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** Reads the facts about files that users give. */
export interface Prober {
  /**
   * Probes a local file.
   * @throws OperationError of the probe; `bad_request` when the file takes too much time or memory;
   *   `unavailable` when no process can be started; the signal's reason once aborted
   */
  probe(request: ProbeRequest, options: ProbeOptions): Promise<InputFacts>;
}

export interface ProberOptions {
  /** Path of a module that exports OPERATIONS. */
  readonly operationsModule: string;
  /** Time limit of one probe. */
  readonly timeoutMs?: number;
}

/** Beyond the limits in the readers themselves, which hostile files meet first. */
const TIMEOUT_MS = 20_000;
/** Processes at the same time. */
const CHILDREN_MAX = 8;
const IDLE_MS = 60_000;

/**
 * Creates a prober whose probes run in child processes, which start on demand and end when idle. A probe can delay no
 * request and take no memory of this process, and one that exceeds its time is killed. A worker thread would not do: one
 * array that grows past a thread's heap limit ends the whole process (Node 20).
 */
export function createProber(options: ProberOptions): Prober {
  return new ChildProber(options);
}

class ChildProber implements Prober {
  readonly #operationsModule: string;
  readonly #timeoutMs: number;
  readonly #owners = new KeyedSemaphores(1);
  readonly #places = createSemaphore(CHILDREN_MAX);
  /** Idle children and the timers that end them; the last used comes last. */
  readonly #idle = new Map<ProbeChild, NodeJS.Timeout>();

  constructor({ operationsModule, timeoutMs = TIMEOUT_MS }: ProberOptions) {
    this.#operationsModule = operationsModule;
    this.#timeoutMs = timeoutMs;
  }

  async probe(request: ProbeRequest, { owner, signal, log }: ProbeOptions): Promise<InputFacts> {
    const turn = this.#owners.join(owner);
    const releases: (() => void)[] = [turn.leave];
    try {
      releases.push(await turn.semaphore.acquire(signal));
      releases.push(await this.#places.acquire(signal));
      const end = await this.#run(request, signal);
      signal.throwIfAborted();
      return factsOf(end, log);
    } finally {
      for (const release of releases) release();
    }
  }

  async #run(request: ProbeRequest, signal: AbortSignal): Promise<ProbeEnd> {
    const child = this.#takeIdle() ?? new ProbeChild(this.#operationsModule);
    const end = await child.probe(request, this.#timeoutMs, signal);
    if (end.kind === 'facts' || end.kind === 'refused' || end.kind === 'broken') this.#putIdle(child);
    return end;
  }

  #takeIdle(): ProbeChild | undefined {
    for (const [child, timer] of [...this.#idle].reverse()) {
      this.#idle.delete(child);
      clearTimeout(timer);
      if (!child.hasEnded) return child;
    }
    return undefined;
  }

  #putIdle(child: ProbeChild): void {
    const retire = () => {
      this.#idle.delete(child);
      child.kill();
    };
    this.#idle.set(child, setTimeout(retire, IDLE_MS).unref());
  }
}

function factsOf(end: ProbeEnd, log: Logger): InputFacts {
  switch (end.kind) {
    case 'facts':
      return end.facts;
    case 'refused':
      throw new OperationError(end.code, end.message);
    case 'over-time':
      throw new OperationError('bad_request', 'The file takes too long to read. Export it again.');
    case 'crashed':
      log.warn({ detail: end.detail }, 'a file ended its probe');
      throw new OperationError('bad_request', 'The file takes too much memory to read. Export it again.');
    case 'not-started':
      throw new OperationError('unavailable', 'Files cannot be read now. Try again soon.', {
        cause: end.detail,
      });
    case 'broken':
      throw new Error(`A probe failed: ${end.detail}`);
  }
}
