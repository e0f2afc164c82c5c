import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runKeysCommand } from '../../scripts/commands/keys-command.ts';
import { startApi, type TestApi } from '../support/service/api.ts';

const EMAIL = 'owner@example.com';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const environment = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  DATABASE_URL: api.ctx.env.DATABASE_URL,
});
const withEmail = (command: string, flags: readonly string[]) => [command, '--email', EMAIL, ...flags];

/** Runs the command on the account's keys in this process, next to the running service. */
async function keys(command: string, ...flags: string[]) {
  const lines = await runKeysCommand(withEmail(command, flags), environment());
  return lines.map((line) => JSON.parse(line));
}

/** Runs the command as its own process. */
async function spawnKeys(command: string, ...flags: string[]) {
  const args = ['--import', 'tsx', 'scripts/keys.ts', ...withEmail(command, flags)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: environment() });
  const lines = stdout.split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

const convert = (key: string) =>
  api.convert({ image_url: api.imageUrl, to_format: 'png' }, { 'ocp-apim-subscription-key': key });

it('npm run keys creates, lists, caps, expires and revokes keys, and the service obeys at once', async () => {
  const [made] = await keys(
    ...(['create', '--name', 'shop', '--operations', 'media-convert-image'] as const),
    ...['--monthly-cap-usd', '0.002', '--expires', '2999-01-31T12:00:00Z'],
  );
  expect(made).toMatchObject({
    name: 'shop',
    state: 'active',
    operations: ['media-convert-image'],
    monthly_cap_usd: '0.002',
    spent_this_month_usd: '0.00',
    expires_at: '2999-01-31T12:00:00.000Z',
    api_key: expect.stringMatching(new RegExp(`^${made.key}`)),
  });
  const bearer = { authorization: `Bearer ${made.api_key}` };
  expect((await api.removeBg({ image_url: api.imageUrl }, bearer)).status).toBe(403);
  expect((await convert(made.api_key)).status).toBe(202);
  expect(await convert(made.api_key)).toMatchObject({
    status: 402,
    body: { message: expect.stringMatching(/^The monthly cap of this API key/) },
  });

  expect(await keys('cap', '--key', made.key, '--monthly-cap-usd', 'none')).toMatchObject([
    { key: made.key, monthly_cap_usd: null, spent_this_month_usd: '0.002' },
  ]);
  expect((await convert(made.api_key)).status).toBe(202);
  await keys('expire', '--key', made.id, '--expires', 'never');
  expect(await keys('revoke', '--key', made.key)).toMatchObject([{ state: 'revoked', expires_at: null }]);
  expect(await convert(made.api_key)).toMatchObject({
    status: 401,
    body: { message: `The API key ${made.key} was revoked.` },
  });
  const listed = await spawnKeys('list');
  expect(listed.map(({ name, state }) => [name, state])).toEqual([
    ['test', 'active'],
    ['shop', 'revoked'],
  ]);
  expect(JSON.stringify(listed)).not.toContain(made.api_key);
});

it.each([
  ['fly'],
  ['list', '--key', 'mk_00000000'],
  ['revoke'],
  ['revoke', '--key', 'mk_00000000'],
  ['cap', '--key', 'mk_00000000', '--monthly-cap-usd', 'much'],
  ['expire', '--key', 'mk_00000000', '--expires', '2999-01-31'],
  ['create', '--expires', '2001-01-31T12:00:00Z'],
  ['create', '--monthly-cap-usd', '0'],
  ['create', '--operations', 'fly'],
])('npm run keys %s %s %s fails and names what is wrong', async (command, ...flags) => {
  const failure: Error = await keys(command, ...flags).catch((error) => error);
  const blamed = flags.filter((flag) => flag.startsWith('--')).at(-1);
  const named = command === 'fly' ? 'Give one of' : command === 'revoke' ? '--key' : blamed;
  expect(failure.message).toMatch(new RegExp(`^${named}`));
});

it('npm run keys ends with code 1 and prints only to stderr when it is refused', {
  tags: ['long'],
}, async () => {
  const failure = await spawnKeys('fly').catch((error) => error);
  expect(failure).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^Give one of/) });
});

it('npm run keys makes test keys, lists them with the others and revokes them', async () => {
  const [made] = await keys('create', '--name', 'trial', '--test');
  expect(made).toMatchObject({ key: expect.stringMatching(/^mk_test_[0-9a-f]{8}$/), state: 'active' });
  expect((await keys('list')).map(({ name }) => name)).toContain('trial');
  expect((await convert(made.api_key)).status).toBe(202);
  expect(await keys('revoke', '--key', made.key)).toMatchObject([{ state: 'revoked' }]);
  expect((await convert(made.api_key)).status).toBe(401);
});
