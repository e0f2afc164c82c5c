import { z } from 'zod';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { ERRORS, type ErrorCode } from '../../../models/core/operation/error-table.ts';
import { type ErrorOverrides, problemOf } from '../../../models/core/operation/errors.ts';
import { errorCodeSchema, errorFieldSchema } from '../../../models/core/operation/job-view.ts';

export const problemSchema = z
  .object({
    error: z.string().meta({ description: 'Short title of the error.', example: 'Bad Request' }),
    message: z.string().meta({ description: 'Names the field and what is allowed.' }),
    code: errorCodeSchema,
    field: errorFieldSchema.optional(),
    request_id: z.string().meta({
      description: 'Id of the job where there is one, else of the HTTP request, as x-request-id has it.',
    }),
  })
  .meta({ id: 'Problem' });
/** Describes a response with a JSON body. */
export const describeResponse = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  description,
  content: { 'application/json': { schema } },
});

/**
 * Describes the responses of some faults, one per status.
 * @param table the operation's own statuses
 */
export function describeProblems(faults: readonly ErrorCode[], table?: ErrorOverrides) {
  const words = new Map<number, string>();
  for (const fault of faults) {
    const { status } = problemOf(fault, table);
    const text = `${fault}: ${ERRORS[fault].description}`;
    words.set(status, [words.get(status), text].filter(Boolean).join(' '));
  }
  return Object.fromEntries(
    [...words].map(([status, text]) => [String(status), describeResponse(text, problemSchema)]),
  );
}

/** Describes the headers that may carry the key. */
export function describeSecurity(authentication: Operation['authentication'] | 'either') {
  const both = [{ subscriptionKey: [] }, { bearer: [] }];
  return { 'subscription-key': both.slice(0, 1), bearer: both.slice(1), either: both }[authentication];
}
