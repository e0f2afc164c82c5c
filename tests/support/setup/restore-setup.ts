import { afterAll, vi } from 'vitest';
import { cancelUnreadBodies } from './unread-bodies.ts';

/** Undoes what a test file has changed for the whole process: the next file runs in the same one. */
afterAll(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  await cancelUnreadBodies();
});
