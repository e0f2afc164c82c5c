import { createSemaphore } from '../../models/core/concurrency.ts';
import { createIdleWork } from './idle-work.ts';

/** Pause after a run, in which the next file of a batch would come. */
const PAUSE_MS = 1_500;

/** Each run takes a core and may take hundreds of MB, and the page needs a core for itself. */
export const RUNS_MAX = Math.min(4, Math.max(1, getCores(globalThis.navigator) - 1));

/** Work that ends as soon as a run begins, an image is opened, or the page is hidden. */
export const idleWork = createIdleWork({ pauseMs: PAUSE_MS, page: globalThis.document });

/** Places of the runs on this device, whichever worker they are in. The others wait in order. */
export const runSlots = idleWork.yieldingTo(createSemaphore(RUNS_MAX));

/**
 * Place of an image that is converted to be shown, next to the runs: its viewer waits for it, and a run of the
 * same image decodes it on one core.
 */
export const openingSlots = idleWork.yieldingTo(createSemaphore(1));

/** Returns the core count. Pages are also rendered on the server, where Node 20 has no navigator. */
function getCores(navigator: { readonly hardwareConcurrency: number } | undefined): number {
  return navigator?.hardwareConcurrency || 2;
}
