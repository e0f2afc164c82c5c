import { z } from 'zod';
import type { Operation } from './define-operation.ts';
import { isDirectOnly } from './direct-response.ts';
import { fieldError } from './errors.ts';
import { httpUrl } from './params.ts';

/** Files of one result that can be delivered: the most that an operation makes of one input. */
const OUTPUT_URLS_MAX = 8;

/** Places where a request wants its result. */
export interface OutputTargets {
  /** Presigned PUT URLs, one for each file of the result in the order of `media_url`; none without. */
  readonly urls: readonly string[];
  /** Whether the service keeps the files as well. */
  readonly isStored: boolean;
}

const urlsField = z.array(httpUrl('A presigned PUT URL.')).min(1).max(OUTPUT_URLS_MAX).optional().meta({
  description:
    'Presigned PUT URLs of your own bucket, one for each file of the result, in the order of `media_url`. The job completes once they have the files.',
});

const storeField = z.boolean().default(true).meta({
  description: 'Whether the service keeps the result as well. false needs `output_urls`.',
});

/** Fields of a request for a job with files. */
const TARGET_FIELDS = { output_urls: urlsField, store: storeField };

/** Returns the fields by which a request of an operation says where its result goes; none where there are no files. */
export function targetFields(operation: Pick<Operation, 'response'>): Partial<typeof TARGET_FIELDS> {
  return isDirectOnly(operation) ? {} : TARGET_FIELDS;
}

/** Values of `targetFields`. */
interface RequestedTargets {
  readonly output_urls?: readonly string[] | undefined;
  readonly store?: boolean | undefined;
}

/**
 * Reads where the result of a request goes.
 * @param fields checked against `targetFields`
 * @param params checked against the operation's schema
 * @throws OperationError `bad_request` naming `output_urls` for another number of URLs than the result has files, and
 *   both fields where nobody would keep the result
 */
export function readOutputTargets(
  operation: Operation,
  { output_urls, store = true }: RequestedTargets,
  params: unknown,
): OutputTargets {
  if (output_urls === undefined) {
    if (store) return { urls: [], isStored: true };
    throw fieldError('store', 'false needs output_urls, so that somebody keeps the result. Send both.');
  }
  const count = operation.outputCount(params);
  if (output_urls.length !== count) {
    throw fieldError(
      'output_urls',
      `must have one URL for each file of the result, in the order of media_url: ${count} for this request.`,
    );
  }
  return { urls: output_urls, isStored: store };
}

/** Outcome of a delivery to the client's bucket so far. */
export const outputDeliverySchema = z
  .object({
    url: z.string().meta({ description: 'The URL without its query, which holds its signature.' }),
    status: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.int().min(0),
    http_status: z.int().nullable().meta({ description: 'Status of the latest response; null without one.' }),
    error: z.string().nullable().meta({ description: 'Fault of the latest attempt; null after a delivery.' }),
  })
  .meta({ id: 'OutputDelivery' });

export type OutputDelivery = z.output<typeof outputDeliverySchema>;

/** Returns a URL without the parts that may hold a signature. */
export function withoutSignature(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? '';
}
