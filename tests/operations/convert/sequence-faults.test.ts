import { expect, test } from 'vitest';
import type { Bytes } from '../../../models/media/bytes/byte-writer.ts';
import { readBoxes } from '../../../models/media/image/heif/read-meta.ts';
import { createImageSequence } from '../../support/media/image-sequence.ts';
import { convert } from '../../support/media/images.ts';

const COLOURS = [
  [200, 100, 50],
  [60, 160, 90],
  [50, 80, 170],
] as const;
/** Code points of BT.709, the curve of sRGB and the matrix of BT.601, as libavif writes them: ITU-T H.273. */
const CODE_POINTS = [1, 13, 6];
const YCGCO = 8;

/** Makes a sequence, and changes its coded frames. */
async function changedSequence(change: (samples: Bytes) => void): Promise<Blob> {
  const input = await createImageSequence('avif', COLOURS, { durationsMs: [50, 100, 250], plays: 0 });
  const file = new Uint8Array(await input.arrayBuffer());
  const frames = readBoxes(new DataView(file.buffer), 0, file.length).findLast(({ type }) => type === 'mdat');
  if (!frames) throw new Error('the sequence has no frames');
  change(file.subarray(frames.start, frames.end));
  return new Blob([file]);
}

/** States another matrix wherever the code points stand, at any bit. */
function stateMatrix(samples: Bytes, matrix: number): void {
  const getBits = (bytes: Iterable<number>) =>
    Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const [primaries = 0, curve = 0] = CODE_POINTS;
  const stated = getBits(samples).replaceAll(getBits(CODE_POINTS), getBits([primaries, curve, matrix]));
  samples.set(Uint8Array.from(stated.match(/.{8}/g) ?? [], (bits) => Number.parseInt(bits, 2)));
}

test.each([
  {
    name: 'of a matrix that FFmpeg does not convert',
    change: (samples: Bytes) => stateMatrix(samples, YCGCO),
    message: 'The image has frames whose colours are coded in a way that is not supported. Export it again.',
  },
  {
    name: 'with a damaged frame',
    change: (samples: Bytes) => void samples.fill(0xff, samples.length / 2),
    message: 'The image is damaged: some of its frames cannot be decoded.',
  },
])('a sequence $name fails, and the message says so', async ({ change, message }) => {
  const input = await changedSequence(change);
  await expect(convert(input, { to_format: 'tiff' })).rejects.toMatchObject({
    code: 'unprocessable',
    message,
  });
});
