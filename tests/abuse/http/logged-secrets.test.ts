import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { handleApi } from '../../../server/api/api.ts';
import type { Context } from '../../../server/base/context.ts';
import { schema } from '../../../server/base/database/db.ts';
import { redactSqlParams } from '../../../server/base/describe-error.ts';
import { createLogger } from '../../../server/base/log.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

const SECRET = 'a-value-of-the-customer';

let api: TestApi;
let lines: string[];
let ctx: Context;
beforeAll(async () => {
  api = await startApi();
  lines = [];
  const log = createLogger('debug', 'test', { write: (line) => lines.push(line) });
  ctx = { ...api.ctx, log };
});
afterAll(() => api.close());

/** Logs what a statement throws. */
async function logged(statement: Promise<unknown>): Promise<string> {
  lines.length = 0;
  const thrown = await statement.catch((error) => error);
  expect(thrown).toBeInstanceOf(Error);
  ctx.log.error({ err: new Error('outer', { cause: thrown }) }, 'request failed');
  return lines.join('');
}

describe('no value of an SQL parameter reaches the log', () => {
  it.each([
    ['of the wrong type', () => ctx.db.execute(sql`select ${SECRET}::uuid`)],
    ['of broken JSON', () => ctx.db.execute(sql`select ${`{"a": "${SECRET}`}::jsonb`)],
    ['with a NUL', () => ctx.db.execute(sql`select ${`${SECRET}\0`}::text`)],
    [
      'that is there already',
      () => ctx.db.insert(schema.accounts).values([{ email: SECRET }, { email: SECRET }]),
    ],
    [
      'that a check refuses',
      () => ctx.db.insert(schema.keySpending).values({ keyId: api.accountId, month: SECRET, spent: -1n }),
    ],
    ['that the driver itself throws with', () => ctx.db.$client`select ${SECRET}::int`],
  ])('from a statement with a value %s', async (_, statement) => {
    const text = await logged(Promise.resolve(statement()));
    expect(text).toContain('request failed');
    expect(text).not.toContain(SECRET);
    expect(text).toMatch(/"code":"\w{5}"/);
  });

  it('from a line of the queue', () => {
    expect(redactSqlParams(`Failed task 1 with error 'Failed query: select $1\nparams: ${SECRET}'`)).toBe(
      `Failed task 1 with error 'Failed query: select $1\nparams: [redacted]`,
    );
  });
});

it('a rejected commit of a job leaves no file behind', async () => {
  vi.spyOn(ctx.db, 'transaction').mockImplementationOnce(() => ctx.db.execute(sql`select 1 / 0`) as never);
  lines.length = 0;
  const response = await handleApi(
    ctx,
    new Request('http://localhost/api/v1/remove-bg', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${api.apiKey}` },
      body: JSON.stringify({ image_url: api.imageUrl, background: 'red' }),
    }),
  );
  expect(response.status).toBe(500);
  expect(lines.join('')).toContain('22012');
  const before = new Date(Date.now() + 3_600_000);
  for await (const key of ctx.storage.list('inputs/', before)) expect.fail(`${key} is left`);
});
