import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createLogger } from '../../../server/base/log.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { PASSWORD, TestBrowser } from '../../support/service/sign-in.ts';

const SECRET = 'a-value-of-the-customer';
const FORGED = '{"level":"info","msg":"forged"}';
const PROCESS = fileURLToPath(new URL('../../support/processes/printing-process.ts', import.meta.url));

let api: TestApi;
const lines: string[] = [];
beforeAll(async () => {
  api = await startApi();
  const log = createLogger('debug', 'test', { write: (line) => lines.push(line) });
  api = { ...api, ctx: { ...api.ctx, log } };
});
afterAll(() => api.close());

test('whatever a library prints becomes whole lines of the log, without values of SQL parameters', async () => {
  const run = promisify(execFile)(process.execPath, ['--import', 'tsx', PROCESS, SECRET, FORGED]);
  const { code, stdout, stderr } = await run.catch((ended) => ended);
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expect(stdout).not.toContain(SECRET);
  const written = stdout
    .trimEnd()
    .split(/[\n\u0085\u2028]/)
    .map((line: string) => JSON.parse(line));
  expect(written).toHaveLength(7);
  for (const line of written) expect(line).toMatchObject({ part: 'test' });
});

test('a query of the sign-up that fails prints nothing, and logs no password hash', async () => {
  const printed = (['error', 'warn', 'log'] as const).map((name) => vi.spyOn(console, name));
  await api.ctx.db.execute(sql`alter table credentials rename to credentials_elsewhere`);
  const { status, body } = await new TestBrowser(api)
    .signUp('ada@example.com', PASSWORD)
    .finally(() => api.ctx.db.execute(sql`alter table credentials_elsewhere rename to credentials`));
  expect({ status, error: body.error }).toEqual({ status: 500, error: 'Internal Server Error' });
  for (const spy of printed) expect(spy).not.toHaveBeenCalled();
  expect(lines.join('')).toContain('42P01');
  // A hash of scrypt is its salt and its key in hexadecimal digits.
  expect(lines.join('')).not.toMatch(/[\da-f]{32}:[\da-f]{64}/);
});

test('control characters in a message are escaped', () => {
  lines.length = 0;
  api.ctx.log.info({ path: '/a\u009b2J' }, 'line\nline\u0085line\u2028line\u202eenil\u007f');
  expect(lines).toHaveLength(1);
  expect(lines[0]?.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202e]/u);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    path: '/a\u009b2J',
    msg: expect.stringContaining('\u202e'),
  });
});
