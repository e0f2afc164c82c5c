// @module-tag long

import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FileServer, serveFiles } from '../../lab/support/file-server.ts';
import { type ApiClient, createApiClient, type Service, startService } from '../../lab/support/service.ts';
import { formatUsd, parseUsd } from '../../models/core/operation/money.ts';
import { mediaConvertImage } from '../../models/operations/convert/operation.ts';
import { sharedData } from '../support/media/shared-data.ts';
import { watchMemory } from '../support/processes/memory.ts';

const HOSTILE = sharedData('data/convert/hostile');
const FIXTURES = join(import.meta.dirname, '../fixtures/images');
const PRICE = parseUsd('0.002');

let service: Service;
let api: ApiClient;
beforeAll(async () => {
  service = await startService({ RATE_LIMIT_BURST: '1000' });
  const account = await service.account('hostile@example.com', '5');
  api = createApiClient(service.url, account.api_key);
});
afterAll(() => service?.stop());

/** Generated images with false headers. */
async function madeHostile(): Promise<Record<string, Uint8Array>> {
  const png = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#c7321b' } })
    .png()
    .toBuffer();
  const gigapixels = Buffer.from(png);
  gigapixels.writeUInt32BE(65_535, 16);
  gigapixels.writeUInt32BE(65_535, 20);
  const hundredMegapixels = Buffer.from(png);
  hundredMegapixels.writeUInt32BE(10_000, 16);
  hundredMegapixels.writeUInt32BE(10_000, 20);
  const heic = await readFile(join(FIXTURES, 'fading.heic'));
  const scrambled = Buffer.from(heic);
  for (let i = Math.floor(heic.length / 2); i < heic.length; i += 3)
    scrambled[i] = (scrambled[i] ?? 0) ^ 0x5a;
  return {
    '/gigapixels.png': gigapixels,
    '/more-than-there-is.png': hundredMegapixels,
    '/truncated.png': png.subarray(0, png.length / 2),
    '/truncated.jpg': await readFile(join(FIXTURES, 'truncated.jpg')),
    '/truncated.heic': heic.subarray(0, heic.length * 0.7),
    '/scrambled.heic': scrambled,
    '/empty.gif': Buffer.from('GIF89a'),
    '/nothing.webp': new Uint8Array(0),
  };
}

interface Outcome {
  readonly name: string;
  /** HTTP status of the rejection, or the terminal state of its job. */
  readonly end: number | string;
  readonly message: string | null;
}

async function tryAll(files: FileServer, names: readonly string[]): Promise<Outcome[]> {
  return Promise.all(
    names.map(async (name) => {
      const { status, body } = await api.convert({ image_url: files.url + name, to_format: 'webp' });
      if (status !== 202) return { name, end: status, message: body.message };
      const job = await api.ended(body.request_id, { timeoutMs: 90_000 });
      return { name, end: job.status, message: job.error };
    }),
  );
}

async function expectContained(files: Record<string, Uint8Array>, ends: (string | number)[]): Promise<void> {
  const server = await serveFiles(files);
  const memory = watchMemory(service.process.pid ?? 0);
  try {
    const before = parseUsd((await api.get('/api/v2/wallet')).body.balance_usd);
    const outcomes = await tryAll(server, Object.keys(files));
    const unexpected = outcomes.filter(({ end }) => !ends.includes(end));
    expect(unexpected).toEqual([]);
    for (const { end, message, name } of outcomes) {
      if (end !== 'COMPLETED') expect(message, name).toMatch(/\w.*\./);
    }
    const completed = outcomes.filter(({ end }) => end === 'COMPLETED').length;
    expect((await api.get('/api/v2/wallet')).body).toMatchObject({
      balance_usd: formatUsd(before - PRICE * BigInt(completed)),
      held_usd: '0.00',
    });
    expect(await api.get('/api/health')).toMatchObject({ status: 200 });
  } finally {
    await server.close();
  }
  expect(await memory.stop()).toBeLessThan(mediaConvertImage.limits.memoryBytesMax);
}

describe('hostile files end in 400 or FAILED, cost nothing and leave the service healthy', () => {
  it('generated files', async () => {
    await expectContained(await madeHostile(), [400, 'FAILED']);
  });

  // Some of these are only unusual and contain an intact image, so they may complete.
  it.skipIf(HOSTILE.isMissing)(HOSTILE.titled('published files'), async () => {
    const names = (await readdir(HOSTILE.path)).filter((name) => !name.endsWith('.md'));
    const files = await Promise.all(
      names.map(async (name) => [`/${basename(name)}`, await readFile(join(HOSTILE.path, name))] as const),
    );
    await expectContained(Object.fromEntries(files), [400, 'FAILED', 'COMPLETED']);
  });
});
