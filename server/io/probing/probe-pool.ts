import { createSemaphore, type Semaphore } from '../../../models/core/concurrency/semaphore.ts';
import type { ProbeRequest } from '../../base/context/prober.ts';
import { ProbeChild, type ProbeEnd } from './probe-child.ts';

const IDLE_MS = 60_000;

export interface ProbePoolLimits {
  /** Processes at the same time. */
  readonly childrenMax: number;
  /** Time limit of one probe. */
  readonly timeoutMs: number;
  /** Niceness of the processes, 0 to 19. */
  readonly niceness: number;
}

interface PooledProbe {
  readonly signal: AbortSignal;
  readonly onStart?: (() => void) | undefined;
}

/** Child processes that probe files: they start on demand, and end when idle. */
export class ProbePool {
  readonly #operationsModule: string;
  readonly #limits: ProbePoolLimits;
  readonly #places: Semaphore;
  /** Idle children and the timers that end them; the last used comes last. */
  readonly #idle = new Map<ProbeChild, NodeJS.Timeout>();

  /** @param operationsModule path of a module that exports OPERATIONS */
  constructor(operationsModule: string, limits: ProbePoolLimits) {
    this.#operationsModule = operationsModule;
    this.#limits = limits;
    this.#places = createSemaphore(limits.childrenMax);
  }

  /**
   * Probes a file as soon as a process is free.
   * @param options `onStart` is called at that moment
   * @throws the signal's reason when it aborts before
   */
  async probe(request: ProbeRequest, { signal, onStart }: PooledProbe): Promise<ProbeEnd> {
    const release = await this.#places.acquire(signal);
    try {
      onStart?.();
      const child = this.#takeIdle() ?? new ProbeChild(this.#operationsModule, this.#limits);
      const end = await child.probe(request, this.#limits.timeoutMs, signal);
      if (end.kind === 'facts' || end.kind === 'refused' || end.kind === 'broken') this.#putIdle(child);
      return end;
    } finally {
      release();
    }
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
