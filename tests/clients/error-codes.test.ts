import { expect, it } from 'vitest';
import { ApiError, createClient, ERRORS, type ErrorCode } from '../../clients/typescript/src/index.ts';
import { ERRORS as TABLE } from '../../models/core/operation/error-table.ts';

/** Returns the error of a request that the service refuses with a code, and how often it was sent. */
async function refuse(code: ErrorCode) {
  let sent = 0;
  const client = createClient({
    origin: 'http://service.test',
    apiKey: 'mk_test',
    retry: { firstPauseMs: 1 },
    async fetch() {
      sent += 1;
      const { status, title: error } = TABLE[code];
      const body = { error, message: 'For people.', code, field: 'items[0].image_url', request_id: 'job_1' };
      return Response.json(body, { status });
    },
  });
  const error = await client.wallet().catch((thrown) => thrown);
  return { error, sent };
}

it('has the table of errors, less the descriptions, which a page would bundle in vain', () => {
  const entries = Object.entries(TABLE).map(([code, { description: _, ...rest }]) => [code, rest]);
  expect(ERRORS).toEqual(Object.fromEntries(entries));
});

it.each([
  ['unavailable', 5],
  ['internal', 5],
  ['category_unavailable', 1],
  ['engine_unavailable', 1],
  ['over_time', 1],
  ['bad_request', 1],
] as const)('sends a request that is refused with %s %i times', async (code, times) => {
  const { error, sent } = await refuse(code);
  expect(sent).toBe(times);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ code, field: 'items[0].image_url', requestId: 'job_1' });
});
