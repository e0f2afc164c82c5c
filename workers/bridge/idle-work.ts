import type { Semaphore } from '../../models/core/concurrency.ts';

/** Work on this device that no caller waits for. */
export interface IdleWork {
  /** Plans work in place of what was planned before: it begins after a pause in which nothing else did. */
  plan(work: (signal: AbortSignal) => Promise<unknown>): void;
  /** Ends the work at once, and what was planned. */
  end(): void;
  /** Returns the semaphore, whose places end the work at once, and keep all from beginning until they are free. */
  yieldingTo(slots: Semaphore): Semaphore;
}

/** Page, as far as it is seen or not. */
export interface Hideable {
  readonly hidden: boolean;
  addEventListener(type: 'visibilitychange', listen: () => void): void;
}

export interface IdleWorkOptions {
  /** Pause before the work, in milliseconds. */
  readonly pauseMs: number;
  /** Page in which the work is done, and which ends it when it is hidden. Absent on the server. */
  readonly page: Hideable | undefined;
}

export function createIdleWork({ pauseMs, page }: IdleWorkOptions): IdleWork {
  let heldCount = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let controller = new AbortController();
  const end = () => {
    clearTimeout(timer);
    controller.abort();
  };
  const hold = () => {
    heldCount += 1;
    end();
  };
  page?.addEventListener('visibilitychange', () => {
    if (page.hidden) end();
  });
  return {
    end,
    plan(work) {
      end();
      // A holder of a place still plans again at its end.
      if (heldCount > 0 || page?.hidden) return;
      controller = new AbortController();
      const { signal } = controller;
      timer = setTimeout(() => void work(signal).catch(() => {}), pauseMs);
    },
    yieldingTo(slots) {
      return {
        idle: (signal) => slots.idle(signal),
        async acquire(signal) {
          hold();
          try {
            const release = await slots.acquire(signal);
            let isHeld = true;
            return () => {
              release();
              if (isHeld) heldCount -= 1;
              isHeld = false;
            };
          } catch (cause) {
            heldCount -= 1;
            throw cause;
          }
        },
      };
    },
  };
}
