import { once } from 'node:events';
import { createSemaphore } from '../../../models/core/concurrency.ts';
import type { Logger } from '../../base/log.ts';
import { createTimeoutSignal } from '../../base/signals.ts';
import {
  type ChildOptions,
  type RunEnd,
  type RunnerChild,
  type RunOptions,
  startChild,
} from './child-process.ts';
import { readResidentBytes } from './memory.ts';
import type { RunRequest } from './protocol.ts';

/** A child with this many runs is replaced, whatever it may have leaked. */
const RUNS_MAX = 500;
/** A child that holds more than this between runs, in addition to its warm models, is replaced. */
const IDLE_BYTES_MAX = 500_000_000;
const RESTART_DELAY_MS = 1_000;
const START_MS_MAX = 60_000;

export interface ChildPoolOptions extends ChildOptions {
  /** Number of concurrent runs, and the limit on children. */
  readonly size: number;
  /** Number of children that start immediately and stay. Others start on demand. Defaults to `size`. */
  readonly warmCount?: number;
  /** Lifetime of an idle child beyond `warmCount`; unlimited when absent. */
  readonly idleMs?: number;
  /** Longest wait of a run for its child's start. Defaults to 60 s. */
  readonly startMsMax?: number;
  readonly log: Pick<Logger, 'error'>;
}

export interface ChildPool {
  /** Waits until all starting children have started. */
  warm(): Promise<void>;
  /** Runs one request, in a separate process, as soon as one is free. Never rejects. */
  run(request: RunRequest, options: RunOptions): Promise<RunEnd>;
  /** Kills all children; their runs end as `crashed`. */
  close(): void;
}

interface PooledChild {
  readonly child: RunnerChild;
  idleTimer?: NodeJS.Timeout;
  runs: number;
  modelBytes: number;
}

/**
 * Creates a pool of reusable children, so that a run needs no process start. A child whose run succeeded or rejected
 * its input in order is reused; one that failed otherwise, crashed or has grown may be damaged, and is replaced.
 */
export function createChildPool(options: ChildPoolOptions): ChildPool {
  const slots = createSemaphore(options.size);
  const children = holdChildren(options);
  const { startMsMax = START_MS_MAX } = options;
  return {
    warm: children.warm,
    close: children.close,
    async run(request, runOptions) {
      const releaseSlot = await slots.acquire(runOptions.signal).catch(() => null);
      if (!releaseSlot) return { kind: 'stopped' };
      try {
        return await runInOne(children, request, { ...runOptions, startMsMax });
      } finally {
        releaseSlot();
      }
    },
  };
}

async function runInOne(
  children: Children,
  request: RunRequest,
  { startMsMax, ...options }: RunOptions & { readonly startMsMax: number },
): Promise<RunEnd> {
  const taken = children.take();
  const limit = createTimeoutSignal(startMsMax, options.signal);
  const isReady = await Promise.race([taken.child.ready, aborted(limit)]);
  if (!isReady) {
    const end: RunEnd = options.signal.aborted
      ? { kind: 'stopped' }
      : { kind: 'no-process', detail: 'no child could be started' };
    await children.giveBack(taken, end);
    return end;
  }
  const end = await taken.child.run(request, { ...options, modelBytes: taken.modelBytes });
  // Before the end is reported: the next request finds the child in its place, warm.
  await children.giveBack(taken, end);
  return end;
}

/** Resolves to false once the signal aborts. */
async function aborted(signal: AbortSignal): Promise<false> {
  if (!signal.aborted) await once(signal, 'abort');
  return false;
}

interface Children {
  warm(): Promise<void>;
  /** Returns an idle child, or a new one. */
  take(): PooledChild;
  giveBack(taken: PooledChild, end: RunEnd): Promise<void>;
  close(): void;
}

function holdChildren(options: ChildPoolOptions): Children {
  const { size, warmCount = size, idleMs } = options;
  const all = new Set<PooledChild>();
  /** Last in, first out: children that have run before are preferred over those that may still be starting. */
  let idle: PooledChild[] = [];
  let closed = false;

  const refill = (): void => {
    while (!closed && all.size < warmCount) idle.unshift(open());
  };
  const end = (pooled: PooledChild): void => {
    clearTimeout(pooled.idleTimer);
    all.delete(pooled);
    idle = idle.filter((other) => other !== pooled);
    pooled.child.kill();
  };
  const retire = (pooled: PooledChild): void => {
    if (all.size > warmCount) end(pooled);
  };
  const open = (): PooledChild => {
    const pooled: PooledChild = { child: startChild(options), runs: 0, modelBytes: 0 };
    all.add(pooled);
    void Promise.all([pooled.child.ready, pooled.child.exited]).then(([wasReady]) => {
      end(pooled);
      if (wasReady || closed) return refill();
      options.log.error({ pid: pooled.child.pid }, 'a child ended before it was ready');
      setTimeout(refill, RESTART_DELAY_MS).unref();
    });
    return pooled;
  };

  refill();
  return {
    async warm() {
      await Promise.all([...all].map(({ child }) => child.ready));
    },
    take() {
      const pooled = idle.pop() ?? open();
      clearTimeout(pooled.idleTimer);
      return pooled;
    },
    async giveBack(taken, runEnd) {
      taken.runs += 1;
      const isInOrder = runEnd.kind === 'done' || (runEnd.kind === 'failed' && runEnd.isInputRejected);
      if (isInOrder) taken.modelBytes = runEnd.modelBytes;
      const isFit = isInOrder && all.size <= size && (await isUsable(taken));
      if (!isFit || !all.has(taken)) return end(taken);
      idle.push(taken);
      if (idleMs !== undefined) taken.idleTimer = setTimeout(retire, idleMs, taken).unref();
    },
    close() {
      closed = true;
      for (const pooled of all) end(pooled);
    },
  };
}

async function isUsable({ child, runs, modelBytes }: PooledChild): Promise<boolean> {
  return runs < RUNS_MAX && (await readResidentBytes(child.pid)) < IDLE_BYTES_MAX + modelBytes;
}
