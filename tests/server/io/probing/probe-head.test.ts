import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../../models/registry.ts';
import { createProber } from '../../../../server/io/probing/index.ts';
import { probeHead } from '../../../../server/io/probing/prober.ts';

const media = ['image'] as const;
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'darkroom-head-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function fileOf(bytes: Uint8Array): Promise<string> {
  const path = join(directory, `${Math.random()}`);
  await writeFile(path, bytes);
  return path;
}

const draw = (format: 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff' | 'avif') =>
  sharp({ create: { width: 30, height: 20, channels: 3, background: 'teal' } })
    .toFormat(format)
    .toBuffer();

/** Lengthens a JPEG's metadata by segments of 64 kB, which come before its size. */
function lengthen(jpeg: Buffer, segments: number): Buffer {
  const segment = Buffer.alloc(2 + 65_535);
  segment.set([0xff, 0xef, 0xff, 0xff]);
  return Buffer.concat([jpeg.subarray(0, 2), ...Array(segments).fill(segment), jpeg.subarray(2)]);
}

const probe = async (bytes: Uint8Array, operationId = 'media-convert-image') =>
  probeHead(OPERATIONS, { operationId, path: await fileOf(bytes), media });

describe('the start of a file', () => {
  it.each(['jpeg', 'png', 'webp', 'gif'] as const)('tells the size of a %s', async (format) => {
    const bytes = await draw(format);
    expect(await probe(bytes)).toMatchObject({ format, width: 30, height: 20 });
  });

  it('tells the size of a long jpeg, and not of others, whose orientation or frames may stand at their end', async () => {
    const lengthened = async (format: 'jpeg' | 'png' | 'webp' | 'gif') =>
      probe(Buffer.concat([await draw(format), Buffer.alloc(1_000_000)]));
    expect(await lengthened('jpeg')).toMatchObject({ width: 30 });
    for (const format of ['png', 'webp', 'gif'] as const) expect(await lengthened(format)).toBeUndefined();
  });

  it.each(['tiff', 'avif'] as const)(
    'does not tell of a %s, whose header may lead anywhere',
    async (format) => {
      expect(await probe(await draw(format))).toBeUndefined();
    },
  );

  it('does not tell of a header that goes on beyond it, nor of bytes of no format', async () => {
    expect(await probe(lengthen(await draw('jpeg'), 1))).toMatchObject({ width: 30 });
    expect(await probe(lengthen(await draw('jpeg'), 3))).toBeUndefined();
    expect(await probe(Buffer.from('nothing known'))).toBeUndefined();
    expect(await probe(await draw('png'), 'no-operation')).toBeUndefined();
  });

  it('tells that a file ends within its header', async () => {
    const cut = (await draw('jpeg')).subarray(0, 40);
    await expect(probe(cut)).rejects.toMatchObject({ code: 'bad_request' });
  });
});

it('a prober starts no process for such an image, and one for any other', async () => {
  const operationsModule = join(directory, 'missing.ts');
  const prober = createProber({ operationsModule, operations: OPERATIONS });
  const options = { owner: 'account', signal: new AbortController().signal, log: pino({ level: 'silent' }) };
  const ask = async (bytes: Uint8Array) =>
    prober.probe({ operationId: 'media-convert-image', path: await fileOf(bytes), media }, options);
  expect(await ask(await draw('jpeg'))).toMatchObject({ width: 30, height: 20 });
  await expect(ask(await draw('tiff'))).rejects.toMatchObject({ code: 'unavailable' });
});
