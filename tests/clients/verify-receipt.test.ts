import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import { main } from '../../clients/typescript/src/cli/main.ts';
import { type Receipt, verifyReceipt } from '../../clients/typescript/src/signatures.ts';
import type { Receipt as SignedReceipt } from '../../server/money/receipts.ts';
import { createTestTerminal } from '../support/clients/test-terminal.ts';

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
const file = Buffer.from('the result');
const sha256 = createHash('sha256').update(file).digest('hex');
const statement = {
  request_id: 'upscale_1',
  inputs: [],
  outputs: [{ name: 'output.png', sha256, bytes: file.length }],
  completed_at: '2026-11-26T12:00:00.000Z',
};

/** Signs a statement, as the service does. */
function issue(
  key: KeyObject,
  header: object = { alg: 'EdDSA', kid: 'a' },
  body: object = statement,
): string {
  const signed = `${encode(header)}.${encode(body)}`;
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`;
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** Returns another last digit of base64url, for the same bytes: 64 bytes leave four bits of it unused. */
const nextDigit = (digit: string) => DIGITS[DIGITS.indexOf(digit) + 1];

const [own, other] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
const keys = { keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'a' }] };
const receipt = issue(own.privateKey);
const [head = '', , signature = ''] = receipt.split('.');
const forged = `${head}.${encode({ ...statement, request_id: 'upscale_2' })}.${signature}`;

describe('verifyReceipt', () => {
  it('has the type of what the service signs, which the client may not import', () => {
    expectTypeOf<Receipt>().toEqualTypeOf<SignedReceipt>();
  });

  it('returns the statement that one of the keys has signed', async () => {
    expect(await verifyReceipt(` ${receipt}\n`, keys)).toEqual(statement);
  });

  it.each([
    ['a changed statement', forged],
    ['the signature of another key', issue(other.privateKey)],
    ['an unknown key', issue(own.privateKey, { alg: 'EdDSA', kid: 'b' })],
    ['another algorithm', issue(own.privateKey, { alg: 'none', kid: 'a' })],
    ['another type', issue(own.privateKey, { alg: 'EdDSA', kid: 'a', typ: 'JWT' })],
    ['critical extensions', issue(own.privateKey, { alg: 'EdDSA', kid: 'a', crit: ['b64'], b64: true })],
    ['padding', `${receipt}==`],
    [
      'a signature that is written in another way',
      `${receipt.slice(0, -1)}${nextDigit(receipt.at(-1) ?? '')}`,
    ],
    ['no signature', receipt.slice(0, receipt.lastIndexOf('.') + 1)],
    ['a fourth part', `${receipt}.AA`],
    ['no JSON', 'a.b.c'],
    ['nothing', ''],
  ])('refuses %s', async (_name, text) => {
    await expect(verifyReceipt(text, keys)).rejects.toMatchObject({ name: 'ReceiptError' });
  });

  it('refuses a key that is none', async () => {
    const broken = { keys: [{ kty: 'OKP', crv: 'Ed25519', kid: 'a', x: 'AAAA' }] };
    await expect(verifyReceipt(receipt, broken)).rejects.toMatchObject({ name: 'ReceiptError' });
  });
});

describe('darkroom verify', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'verify-'));
    const contents = {
      'result.png': file,
      'other.png': 'another file',
      'receipt.txt': `${receipt}\n`,
      'forged.txt': forged,
      'job.json': JSON.stringify({ request_id: 'upscale_1', receipt }),
      'running.json': JSON.stringify({ receipt: null }),
      'jwks.json': JSON.stringify(keys),
      'empty.json': '{}',
    };
    for (const [name, text] of Object.entries(contents)) await writeFile(join(folder, name), text);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const run = async (...args: string[]) => {
    const user = createTestTerminal({ cwd: folder });
    return { code: await main(['verify', ...args], user), out: user.printed(), err: user.messages() };
  };

  it.each(['receipt.txt', 'job.json', receipt])('ends with 0 for %s and its file', async (given) => {
    const { code, out } = await run(given, 'result.png', '--keys', 'jwks.json');
    expect([code, out]).toEqual([
      0,
      'result.png is the output output.png of upscale_1, 2026-11-26T12:00:00.000Z.\n',
    ]);
  });

  it('prints JSON', async () => {
    const { code, out } = await run('receipt.txt', 'result.png', '--keys', 'jwks.json', '--json');
    expect([code, JSON.parse(out)]).toEqual([
      0,
      { file: 'result.png', role: 'output', name: 'output.png', receipt: statement },
    ]);
  });

  it.each([
    ['another file', ['receipt.txt', 'other.png', '--keys', 'jwks.json']],
    ['a forged receipt', ['forged.txt', 'result.png', '--keys', 'jwks.json']],
    ['a job without a receipt', ['running.json', 'result.png', '--keys', 'jwks.json']],
    ['keys that are none', ['receipt.txt', 'result.png', '--keys', 'empty.json']],
    ['keys that are missing', ['receipt.txt', 'result.png', '--keys', 'none.json']],
    ['a file that is missing', ['receipt.txt', 'none.png', '--keys', 'jwks.json']],
    ['a receipt that is missing', ['none.txt', 'result.png', '--keys', 'jwks.json']],
  ])('ends with 1 for %s', async (_name, args) => {
    const { code, out, err } = await run(...args);
    expect([code, out]).toEqual([1, '']);
    expect(err).not.toBe('');
  });

  it.each([[['receipt.txt', '--keys', 'jwks.json']], [['receipt.txt', 'result.png']]])(
    'ends with 2 for the arguments %j',
    async (args) => {
      expect((await run(...args)).code).toBe(2);
    },
  );
});
