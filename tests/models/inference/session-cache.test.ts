import { afterEach, describe, expect, it, vi } from 'vitest';
import { type OpenSession, SessionCache } from '../../../models/inference/session-cache.ts';
import { cardOf } from '../../support/weight-files.ts';

const card = (name: string, memoryBytes = 100) => cardOf(Buffer.from(name), { id: name, memoryBytes });

/** A cache that writes down which sessions it opens and ends. */
function observed(memoryBytesMax: number, isFallback = false) {
  const events: string[] = [];
  const cache = new SessionCache({ memoryBytesMax });
  const session = (id: string): OpenSession => ({
    isFallback,
    inputs: [],
    outputs: [],
    run: () => Promise.reject(new Error('not run here')),
    release: async () => void events.push(`-${id}`),
  });
  const use = (id: string, work: () => Promise<void> = async () => {}, memoryBytes = 100) =>
    cache.use(
      card(id, memoryBytes),
      async () => {
        events.push(`+${id}`);
        return session(id);
      },
      work,
    );
  return { cache, events, use };
}

afterEach(() => {
  vi.useRealTimers();
});

describe('warm sessions', () => {
  it('are used again', async () => {
    const { events, use } = observed(1000);
    await use('a');
    await use('a');
    expect(events).toEqual(['+a']);
  });

  it('are opened once for users that come at the same time', async () => {
    const { events, use } = observed(1000);
    await Promise.all([use('a'), use('a')]);
    expect(events).toEqual(['+a']);
  });

  it('make room for others, the least recently used first', async () => {
    const { events, use } = observed(250);
    await use('a');
    await use('b');
    await use('a');
    await use('c');
    expect(events).toEqual(['+a', '+b', '-b', '+c']);
  });

  it('go before the new one is opened', async () => {
    const { events, use } = observed(300);
    await use('a');
    await use('b', undefined, 300);
    expect(events).toEqual(['+a', '-a', '+b']);
  });

  it('never go while they are in use', async () => {
    const { events, use } = observed(100);
    await use('a', () => use('b'));
    expect(events).toEqual(['+a', '+b']);
  });

  it('are not met again after their work failed', async () => {
    const { events, use } = observed(1000);
    await expect(use('a', () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
    await use('a');
    expect(events).toEqual(['+a', '-a', '+a']);
  });

  it('that run on less than the best are met again for five minutes only', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { cache, events, use } = observed(1000, true);
    await use('a');
    vi.advanceTimersByTime(4 * 60_000);
    await use('a');
    expect(events).toEqual(['+a']);
    vi.advanceTimersByTime(60_000);
    await use('a');
    expect(events).toEqual(['+a', '-a', '+a']);
    expect(cache.bytes).toBe(100);
  });

  it('whose time is over end with their last user', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { events, use } = observed(1000, true);
    await use('a');
    await use('a', async () => {
      vi.advanceTimersByTime(5 * 60_000);
      await use('a');
      expect(events).toEqual(['+a', '+a']);
    });
    expect(events).toEqual(['+a', '+a', '-a']);
  });

  it('that run on the best are met again however late', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { events, use } = observed(1000);
    await use('a');
    vi.advanceTimersByTime(60 * 60_000);
    await use('a');
    expect(events).toEqual(['+a']);
  });

  it('all end when asked to', async () => {
    const { cache, events, use } = observed(1000);
    await use('a');
    await use('b');
    expect(cache.bytes).toBe(200);
    await cache.clear();
    expect(cache.bytes).toBe(0);
    expect(events).toEqual(['+a', '+b', '-a', '-b']);
  });
});
