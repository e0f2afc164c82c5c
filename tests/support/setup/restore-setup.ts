import { afterAll, vi } from 'vitest';

/** Undoes what a test file has changed for the whole process: the next file runs in the same one. */
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});
