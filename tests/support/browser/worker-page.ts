import { openWorkerPage, type WorkerPage, type WorkerPageOptions } from '../../../lab/support/worker-page.ts';
import { connectChromium } from './shared-chromium.ts';

/** Opens a worker page in the shared Chromium, as a separate visitor. */
export async function openSharedWorkerPage(
  options: Omit<WorkerPageOptions, 'browser' | 'flags'> = {},
): Promise<WorkerPage> {
  return openWorkerPage({ ...options, browser: await connectChromium() });
}
