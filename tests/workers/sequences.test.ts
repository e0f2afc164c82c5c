import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WorkerPage } from '../../lab/support/worker-page.ts';
import { ascii, concat } from '../../models/media/bytes/byte-writer.ts';
import { openSharedWorkerPage } from '../support/browser/worker-page.ts';
import {
  COLOURS,
  expectColours,
  fromP3,
  fromPq,
  nclx,
  profileOf,
  TIMING,
} from '../support/media/colours/sequence-colours.ts';
import { createImageSequence } from '../support/media/image-sequence.ts';
import { decodeFrames } from '../support/media/images.ts';

const OPACITIES = [255, 128, 0];

let page: WorkerPage;
beforeAll(async () => {
  page = await openSharedWorkerPage();
});
afterAll(() => page.stop());

async function convertOnDevice(input: Blob, params: object): Promise<Blob> {
  const outcome = await page.convert(input, params);
  if (!outcome.ok) throw new Error(outcome.message);
  return new Blob([outcome.bytes]);
}

test.each([
  ['in sRGB by code points of the full range', nclx(1, 13), COLOURS, undefined],
  ['without stated colours', undefined, COLOURS, undefined],
  ['in Display P3 by code points', nclx(12, 13), COLOURS.map(fromP3), undefined],
  ['in Display P3 by a profile', concat([ascii('prof'), profileOf(12, 13)]), COLOURS.map(fromP3), undefined],
  ['of a high dynamic range', nclx(9, 16), COLOURS.map(fromPq), 20],
] as const)('an AVIF sequence %s keeps its frames on the device', async (_, colr, expected, tolerance) => {
  const input = await createImageSequence('avif', COLOURS, { ...TIMING, ...(colr && { colr }) });
  const gif = await convertOnDevice(input, { to_format: 'gif' });
  const { pages, delay, loop } = await sharp(new Uint8Array(await gif.arrayBuffer())).metadata();
  expect({ pages, delay, loop }).toEqual({ pages: 3, delay: TIMING.durationsMs, loop: TIMING.plays });
  await expectColours(await convertOnDevice(input, { to_format: 'tiff' }), expected, tolerance);
});

test('an AVIF sequence keeps its opacity on the device', async () => {
  const input = await createImageSequence('avif', COLOURS, { ...TIMING, opacities: OPACITIES });
  const frames = await decodeFrames(await convertOnDevice(input, { to_format: 'tiff' }));
  const found = frames.map(({ data }) => (data[3] ?? 0) / (data instanceof Uint16Array ? 257 : 1));
  found.forEach((alpha, place) => {
    expect(Math.abs(alpha - (OPACITIES[place] ?? 0))).toBeLessThanOrEqual(3);
  });
});
