import pino from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Prober } from '../../../../server/base/context.ts';
import { findMediaType } from '../../../../server/io/uploads/media-type.ts';

const log = pino({ level: 'silent' });
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Finds the type of a file whose probe waits for its turn, and then takes a while. */
async function find(waitMs: number, probeMs: number): Promise<string> {
  const probe: Prober['probe'] = (_request, { signal, onStart }) =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      setTimeout(() => {
        onStart?.();
        setTimeout(() => resolve({ mediaType: 'image/png' }), probeMs);
      }, waitMs);
    });
  const finding = findMediaType({ prober: { probe }, log }, 'account', 'file');
  await vi.advanceTimersByTimeAsync(60_000);
  return await finding;
}

it.each([
  ['the wait for a process does not count', 10_000, 1_000, 'image/png'],
  ['a probe that takes longer than 2 s ends', 0, 3_000, 'application/octet-stream'],
  ['a wait for most of a minute ends', 40_000, 0, 'application/octet-stream'],
])('the media type of an upload: %s', async (_name, waitMs, probeMs, mediaType) => {
  expect(await find(waitMs, probeMs)).toBe(mediaType);
});
