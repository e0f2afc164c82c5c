import { setTimeout } from 'node:timers/promises';
import type { OperationId } from '../../models/registry.ts';
import type { Service } from '../support/service.ts';

const POLL_MS = 200;
const TIMEOUT_MS = 120_000;

/**
 * Waits until jobs of an operation run and others wait.
 * @param metricsToken METRICS_TOKEN of the service
 * @param wanted least number of jobs in each status
 * @throws when there are fewer after two minutes
 */
export async function waitForJobs(
  { url }: Service,
  metricsToken: string,
  operation: OperationId,
  wanted: { readonly PROCESSING: number; readonly QUEUED?: number },
): Promise<void> {
  for (const endMs = Date.now() + TIMEOUT_MS; Date.now() < endMs; ) {
    const response = await fetch(`${url}/api/metrics`, {
      headers: { authorization: `Bearer ${metricsToken}` },
    });
    const text = await response.text();
    const hasEnough = Object.entries(wanted).every(([status, count]) => {
      const gauge = new RegExp(`^darkroom_jobs\\{operation="${operation}",status="${status}"\\} (\\d+)`, 'm');
      return Number(gauge.exec(text)?.[1] ?? 0) >= count;
    });
    if (hasEnough) return;
    await setTimeout(POLL_MS);
  }
  throw new Error(`${operation}: not as many jobs as ${JSON.stringify(wanted)}`);
}
