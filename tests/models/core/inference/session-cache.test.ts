import { afterEach, describe, expect, it, vi } from 'vitest';
import { type OpenSession, SessionCache } from '../../../../models/core/inference/session-cache.ts';
import { createWeightCard } from '../../../support/service/weight-files.ts';

const card = (name: string, memoryBytes = 100) =>
  createWeightCard(Buffer.from(name), { id: name, memoryBytes });

/** Creates a cache that records which sessions it opens and closes. */
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

describe('the session cache', () => {
  it('reuses a session', async () => {
    const { events, use } = observed(1000);
    await use('a');
    await use('a');
    expect(events).toEqual(['+a']);
  });

  it('opens a session once for concurrent users', async () => {
    const { events, use } = observed(1000);
    await Promise.all([use('a'), use('a')]);
    expect(events).toEqual(['+a']);
  });

  it('evicts the least recently used session', async () => {
    const { events, use } = observed(250);
    await use('a');
    await use('b');
    await use('a');
    await use('c');
    expect(events).toEqual(['+a', '+b', '-b', '+c']);
  });

  it('evicts before it opens the new session', async () => {
    const { events, use } = observed(300);
    await use('a');
    await use('b', undefined, 300);
    expect(events).toEqual(['+a', '-a', '+b']);
  });

  it('never evicts a session in use', async () => {
    const { events, use } = observed(100);
    await use('a', () => use('b'));
    expect(events).toEqual(['+a', '+b']);
  });

  it('does not reuse a session after a failure', async () => {
    const { events, use } = observed(1000);
    await expect(use('a', () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
    await use('a');
    expect(events).toEqual(['+a', '-a', '+a']);
  });

  it('reuses a session without its best provider for five minutes only', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
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

  it('closes an outdated session after its last use', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { events, use } = observed(1000, true);
    await use('a');
    await use('a', async () => {
      vi.advanceTimersByTime(5 * 60_000);
      await use('a');
      expect(events).toEqual(['+a', '+a']);
    });
    expect(events).toEqual(['+a', '+a', '-a']);
  });

  it('reuses a session with its best provider at any age', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { events, use } = observed(1000);
    await use('a');
    vi.advanceTimersByTime(60 * 60_000);
    await use('a');
    expect(events).toEqual(['+a']);
  });

  it('closes all sessions on request', async () => {
    const { cache, events, use } = observed(1000);
    await use('a');
    await use('b');
    expect(cache.bytes).toBe(200);
    await cache.clear();
    expect(cache.bytes).toBe(0);
    expect(events).toEqual(['+a', '+b', '-a', '-b']);
  });
});
