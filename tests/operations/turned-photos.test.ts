import sharp from 'sharp';
import { expect, test } from 'vitest';
import { imageOutpaint } from '../../models/operations/extend/operation.ts';
import { removeBg } from '../../models/operations/remove-bg/operation.ts';
import { upscale } from '../../models/operations/upscale/operation.ts';

/** Photo of 40 x 60 pixels that is stored on its side, as cameras do. */
async function createTurnedPhoto(): Promise<Blob> {
  const stored = sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal' } });
  const bytes = await stored.withMetadata({ orientation: 6 }).jpeg().toBuffer();
  return new Blob([new Uint8Array(bytes)]);
}

test.each([
  { operation: upscale, params: { scale: 2, width: 70 }, width: 70, height: 105 },
  { operation: imageOutpaint, params: { aspect_ratio: '16:9' }, width: 107, height: 60 },
  { operation: removeBg, params: {}, width: 40, height: 60 },
])('$operation.id predicts the result of a turned photo by its upright sides', async (expected) => {
  const { operation, params, width, height } = expected;
  const facts = await operation.probe(await createTurnedPhoto(), ['image']);
  const { files } = operation.testResult(facts, params, 0);
  expect(files[0]).toMatchObject({ width, height });
});
