import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { download } from '../../../../server/io/fetching/index.ts';
import { type HttpTarget, startHttpTarget } from '../../../support/servers/http-target.ts';

const BYTES_MAX = 1_000_000;
const TEXT = Buffer.from(Array.from({ length: 120 }, (_, at) => `line ${at ** 3}\n`).join(''));
/** The text by `zstd -19` from its standard input: a window, compressed blocks and a checksum. */
const BY_ZSTD = Buffer.from(
  'KLUv/QRoVQsApuNEErClkAOO4JKAQjt3borUiIMDAUIAPgA9AJ+oRRaL+MMINbzBI2cXHiQ9TIMOY0eC3DfFwellnBBtwiBpgkfYcRckKPw24g/j8GslLfCcG5WZCzlnAg0ABgIEApcqIT6mxCNGeUgedroJQkmy8Frk5tAwj0x8vyIhcf8zMRLFLKwkM4R8DNbKqSbtzS3EzHM5zCg+hpEUEtbAjrF6NzQzMt9dSwoMEkLnY1N5LJbUXExCZ/h8H+m8iFUS51A10I63FsvD1J8xSCs+hZlgv4VbUiPIQzZilYLgeYRVQzqZRMJI7I/oCG/iYRgxDKFY5VJJawPlQO7BbMikTAsz5d4EN55BnGiqqklaCNQZtuiFC9LH+H13qBAQYqB3A8DTDGsQEsrHNDnOhtMgsBEwyV/+XhK9/OMr2gI7U68F2hhHip9KMW3RNLl5UxgVqE587P7g7es6kos6/WvqusxCclwn33kFVIBASwEVl1X9',
  'base64',
);

let directory: string;
let target: HttpTarget;
let content: { readonly encoding: string; readonly body: Uint8Array };
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'content-encoding-'));
  target = await startHttpTarget((_request, response) => {
    response.setHeader('content-encoding', content.encoding);
    // In several pieces, which may end anywhere.
    for (let at = 0; at < content.body.length; at += 1009)
      response.write(content.body.subarray(at, at + 1009));
    response.end();
  });
});
afterAll(async () => {
  await target.stop();
  await rm(directory, { recursive: true });
});

async function fetched(encoding: string, body: Uint8Array): Promise<Buffer> {
  content = { encoding, body };
  const path = join(directory, 'file');
  await download(target.origin, {
    path,
    bytesMax: BYTES_MAX,
    owner: 'test',
    allowNetworks: ['127.0.0.1/32'],
    signal: new AbortController().signal,
  });
  const bytes = await readFile(path);
  await rm(path);
  return bytes;
}

async function expectRefused(encoding: string, body: Uint8Array, words: RegExp, code = 'bad_request') {
  const thrown = await fetched(encoding, body).catch((error: unknown) => error);
  expect(thrown).toMatchObject({ code, message: expect.stringMatching(words) });
  expect(await readdir(directory)).toEqual([]);
}

const littleEndian = (value: number, bytes: number) =>
  Array.from({ length: bytes }, (_, at) => Math.floor(value / 256 ** at) % 256);
const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];
/** A block that repeats one byte, of kind 1. */
const repeated = (byte: number, length: number, isLast: boolean) => [
  ...littleEndian(length * 8 + 2 + Number(isLast), 3),
  byte,
];
/** A frame with a window of 128 KB. */
const frame = (...blocks: number[][]) => [...MAGIC, 0, 0x38, ...blocks.flat()];
const skippable = (length: number) => [
  ...[0x5a, 0x2a, 0x4d, 0x18],
  ...littleEndian(length, 4),
  ...Array<number>(length).fill(7),
];

describe('a body is decoded by Content-Encoding', () => {
  it.each([
    ['gzip', gzipSync(TEXT)],
    ['x-gzip', gzipSync(TEXT)],
    ['GZIP', gzipSync(TEXT)],
    ['gzip', Buffer.concat([gzipSync(TEXT.subarray(0, 50)), gzipSync(TEXT.subarray(50))])],
    ['deflate', deflateSync(TEXT)],
    ['deflate', deflateRawSync(TEXT)],
    ['br', brotliCompressSync(TEXT)],
    ['zstd', BY_ZSTD],
    ['gzip, br', brotliCompressSync(gzipSync(TEXT))],
    ['br,zstd', Buffer.from(frame(rawBlock(brotliCompressSync(TEXT))))],
    ['utf-8, gzip', gzipSync(TEXT)],
    ['aws-chunked,gzip', gzipSync(TEXT)],
  ])('%s', async (encoding, body) => {
    expect(await fetched(encoding, body)).toEqual(TEXT);
  });

  it.each([
    'identity',
    'none',
    'binary',
    'utf-8',
    'UTF8',
    'aws-chunked',
    '8bit',
    '',
    'image/png',
    '__proto__',
  ])('%j says nothing of the bytes', async (encoding) => {
    expect(await fetched(encoding, TEXT)).toEqual(TEXT);
  });

  it('of several frames of zstd, some to be skipped', async () => {
    const body = [
      ...frame(repeated(65, 3, false), repeated(66, 2, true)),
      ...skippable(40),
      ...BY_ZSTD,
      ...frame(repeated(67, 1, true)),
    ];
    expect((await fetched('zstd', Uint8Array.from(body))).toString()).toBe(`AAABB${TEXT}C`);
  });
});

function rawBlock(bytes: Uint8Array): number[] {
  return [...littleEndian(bytes.length * 8 + 1, 3), ...bytes];
}

describe('a coded body has the limits of the file', () => {
  const zeros = Buffer.alloc(50_000_000);
  it.each([
    ['gzip', gzipSync(zeros)],
    ['br', brotliCompressSync(zeros)],
    ['gzip, gzip', gzipSync(gzipSync(zeros))],
    ['zstd', Uint8Array.from(frame(...Array(400).fill(repeated(0, 131_072, false)), repeated(0, 1, true)))],
    // Nothing comes out of it, however much goes in.
    ['gzip', Buffer.concat([gzipSync(''), Buffer.alloc(0), ...Array<Buffer>(70_000).fill(gzipSync(''))])],
  ])('%s that becomes or is too large', async (encoding, body) => {
    await expectRefused(encoding, body, /must be at most 1,000,000 bytes/, 'too_large');
  });

  it('zstd of ever more blocks with little in them', async () => {
    const body = frame(...Array(6000).fill(repeated(0, 1, false)), repeated(0, 1, true));
    await expectRefused('zstd', Uint8Array.from(body), /too many small blocks/);
  });

  it('zstd with a window of gigabytes, or a dictionary', async () => {
    await expectRefused(
      'zstd',
      Uint8Array.from([...MAGIC, 0, 0xa0, ...repeated(0, 9, true)]),
      /window of zstd/,
    );
    await expectRefused(
      'zstd',
      Uint8Array.from([...MAGIC, 1, 0x38, 9, ...repeated(0, 9, true)]),
      /dictionary/,
    );
  });

  it('and few codings', async () => {
    await expectRefused('gzip, gzip, gzip, gzip', gzipSync(''), /compressed more than 3 times/);
  });
});

describe('a body that is not of its coding is refused with words', () => {
  it.each([
    ['gzip', TEXT],
    ['gzip', gzipSync(TEXT).subarray(0, 100)],
    ['br', TEXT],
    ['zstd', TEXT],
    ['zstd', BY_ZSTD.subarray(0, 200)],
    ['zstd', Buffer.concat([BY_ZSTD.subarray(0, 20), Buffer.alloc(355, 0xff)])],
  ])('%s', async (encoding, body) => {
    await expectRefused(encoding, body, /Content-Encoding: \w+, but what it sends is not, or is damaged/);
  });
});
