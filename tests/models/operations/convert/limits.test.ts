import { expect, test } from 'vitest';
import { ascii, box, concat, u32 } from '../../../../models/media/bytes/byte-writer.ts';
import { probeImage } from '../../../../models/media/image/image-header.ts';
import { mediaConvertImage } from '../../../../models/operations/convert/operation.ts';
import { createAnimatedPng } from '../../../support/media/animated-png.ts';
import { createImageSequence } from '../../../support/media/image-sequence.ts';
import { imageFixture } from '../../../support/media/images.ts';

const COLOURS = [
  [200, 40, 40],
  [40, 160, 60],
] as const;
const part = (r: number) => ({
  left: 0,
  top: 0,
  width: 8,
  height: 8,
  delay: [1, 10] as const,
  colour: { r, g: 0, b: 0, alpha: 1 },
});

/** Our stills with the brand of a HEIC sequence. */
async function heicSequence(): Promise<Blob> {
  const file = new Uint8Array(await (await createImageSequence('heic', COLOURS, TIMING)).arrayBuffer());
  const end = new DataView(file.buffer).getUint32(0);
  const brands = box('ftyp', ascii('heic'), u32(0), ascii('msf1heic'));
  return new Blob([concat([brands, file.subarray(end)])]);
}
const TIMING = { durationsMs: [50, 100], plays: 0 };

test.each([
  ['animated PNG', async () => new Blob([await createAnimatedPng([part(0), part(255)], 0)]), true],
  ['AVIF sequence', () => createImageSequence('avif', COLOURS, TIMING), true],
  ['HEIC sequence', heicSequence, true],
  ['PNG', () => imageFixture('fading.png'), false],
  ['AVIF', () => imageFixture('fading.avif'), false],
  ['HEIC', () => imageFixture('fading.heic'), false],
] as const)('the run of a %s may hold several frames: %j', async (_, create, isAnimated) => {
  const facts = await probeImage(await create(), { pixelsMax: 100_000_000 });
  const { memoryBytesMax } = mediaConvertImage.limitsFor(facts, { to_format: 'webp' });
  expect(memoryBytesMax === 1_500_000_000).toBe(isAnimated);
});
