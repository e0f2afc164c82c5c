import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WorkerPage } from '../../lab/support/worker-page.ts';
import { openSharedWorkerPage } from '../support/browser/worker-page.ts';
import { asAdobeRgb, STATED_COLOURS } from '../support/media/colours/stated-colours.ts';
import { decodeFirstFrame, imageFixture } from '../support/media/images.ts';
import { furthestSample, READABLE_TIFFS } from '../support/media/tiff/readable-tiffs.ts';
import { tiffOfKind } from '../support/media/tiff/tiff-kinds.ts';

/** Rounding to 8 bits, where the browser's decoder has no more. */
const STEP = 1;

let page: WorkerPage;
beforeAll(async () => {
  page = await openSharedWorkerPage();
});
afterAll(() => page.stop());

async function convertOnDevice(input: Blob): Promise<Blob> {
  const outcome = await page.convert(input, { to_format: 'png' });
  if (!outcome.ok) throw new Error(outcome.message);
  return new Blob([outcome.bytes]);
}

describe('colours that a file states without a profile', () => {
  test.each(STATED_COLOURS)('$name becomes sRGB on the device', async ({ file, expected, tolerance }) => {
    const { data } = await decodeFirstFrame(await convertOnDevice(await file()));
    const unit = data instanceof Uint16Array ? 257 : 1;
    const colour = Array.from(data.subarray(0, 3), (sample) => Math.round(sample / unit));
    const furthest = Math.max(...colour.map((part, at) => Math.abs(part - (expected[at] ?? 0))));
    expect(furthest, `${colour} is not ${expected}`).toBeLessThanOrEqual(tolerance + STEP);
  });
});

test('what EXIF says of colours does not apply to inks on the device', async () => {
  const inks = await imageFixture('cmyk.jpg');
  const stated = await decodeFirstFrame(await convertOnDevice(await asAdobeRgb(inks)));
  expect(stated.data).toEqual((await decodeFirstFrame(await convertOnDevice(inks))).data);
});

describe('kinds of TIFF that libraries read wrong', () => {
  test.each(READABLE_TIFFS)('$name is read right on the device', { tags: ['long'] }, async (tiff) => {
    const { kind, samples, isGrey, alpha, tolerance = STEP } = tiff;
    const frame = await decodeFirstFrame(await convertOnDevice(tiffOfKind(kind, samples)));
    expect(furthestSample(frame, isGrey, alpha)).toBeLessThanOrEqual(tolerance);
  });
});
