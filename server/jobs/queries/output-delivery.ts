import { isTerminal } from '../../../models/core/operation/job.ts';
import type { OutputDelivery } from '../../../models/core/operation/job-view.ts';
import type { JobRow } from './job-row.ts';

/** Returns a URL without the parts that may hold a signature. */
export function withoutSignature(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? '';
}

/** Returns the deliveries to the client's bucket. An ended job has none that is still to come. */
export function showDeliveries({ status, outputDeliveries }: JobRow): OutputDelivery[] {
  const hasEnded = isTerminal(status);
  return outputDeliveries.map((delivery) => {
    const isFinal = hasEnded && delivery.status === 'pending';
    return {
      url: withoutSignature(delivery.url),
      status: isFinal ? 'failed' : delivery.status,
      attempts: delivery.attempts,
      http_status: delivery.httpStatus,
      error: isFinal ? (delivery.error ?? 'The job ended without a result to deliver.') : delivery.error,
    };
  });
}
