import { describe, expect, it, vi } from 'vitest';
import { createSemaphore, pause } from '../../../models/core/concurrency.ts';

const isPending = async (promise: Promise<unknown>): Promise<boolean> => {
  let settled = false;
  const settle = () => {
    settled = true;
  };
  promise.then(settle, settle);
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  return !settled;
};

describe('a semaphore', () => {
  it('grants places in order of request, up to its limit', async () => {
    const semaphore = createSemaphore(1);
    const order: string[] = [];
    const releaseFirst = await semaphore.acquire();
    const second = semaphore.acquire().then((release) => {
      order.push('second');
      release();
    });
    const third = semaphore.acquire().then((release) => {
      order.push('third');
      release();
    });
    expect(await isPending(second)).toBe(true);
    expect(order).toEqual([]);
    releaseFirst();
    await Promise.all([second, third]);
    expect(order).toEqual(['second', 'third']);
  });

  it('has as many places as it was created with', async () => {
    const semaphore = createSemaphore(2);
    await semaphore.acquire();
    await semaphore.acquire();
    expect(await isPending(semaphore.acquire())).toBe(true);
  });

  it('skips aborted requests', async () => {
    const semaphore = createSemaphore(1);
    const release = await semaphore.acquire();
    const controller = new AbortController();
    const impatient = semaphore.acquire(controller.signal);
    const patient = semaphore.acquire();
    controller.abort(new Error('gone'));
    await expect(impatient).rejects.toThrow('gone');
    release();
    await expect(patient).resolves.toBeTypeOf('function');
  });

  it('releases a place only once', async () => {
    const semaphore = createSemaphore(1);
    const release = await semaphore.acquire();
    release();
    release();
    await semaphore.acquire();
    const controller = new AbortController();
    const third = semaphore.acquire(controller.signal);
    controller.abort(new Error('still full'));
    await expect(third).rejects.toThrow('still full');
  });

  it('gives a released place to the first waiter, not to a newcomer', async () => {
    const semaphore = createSemaphore(1);
    const release = await semaphore.acquire();
    const waited = semaphore.acquire();
    release();
    const late = semaphore.acquire();
    await expect(waited).resolves.toBeTypeOf('function');
    expect(await isPending(late)).toBe(true);
  });

  it('rejects a signal that has already aborted, even with free places', async () => {
    const semaphore = createSemaphore(1);
    const aborted = AbortSignal.abort(new Error('too late'));
    await expect(semaphore.acquire(aborted)).rejects.toThrow('too late');
    await expect(semaphore.acquire()).resolves.toBeTypeOf('function');
  });
});

describe('a pause', () => {
  it('ends after its time, and leaves no listener behind', async () => {
    const { signal } = new AbortController();
    const removed = vi.spyOn(signal, 'removeEventListener');
    await pause(1, signal);
    expect(removed).toHaveBeenCalledOnce();
    await pause(1);
  });

  it('throws the reason of an abort at once', async () => {
    const controller = new AbortController();
    const paused = pause(60_000, controller.signal);
    controller.abort(new Error('stopped'));
    await expect(paused).rejects.toThrow('stopped');
  });

  it('does not begin under an aborted signal', async () => {
    await expect(pause(60_000, AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
  });
});
