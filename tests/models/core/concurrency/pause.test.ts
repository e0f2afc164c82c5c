import { describe, expect, it, vi } from 'vitest';
import { pause } from '../../../../models/core/concurrency.ts';

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
