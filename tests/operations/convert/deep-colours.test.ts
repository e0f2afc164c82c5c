import sharp from 'sharp';
import { expect, test } from 'vitest';
import { getEncoding } from '../../../models/kernels/colour/colour-encoding.ts';
import { toGamma } from '../../../models/kernels/colour/xyz-matrix.ts';
import { type Bytes, concat, u32 } from '../../../models/media/bytes/byte-writer.ts';
import { encodingProfile } from '../../../models/media/image/colours.ts';
import { PNG_SIGNATURE, writePngChunk } from '../../../models/media/image/png/chunks.ts';
import { writePngMetadata } from '../../../models/media/image/png/write-metadata.ts';
import { writeTiffMetadata } from '../../../models/media/image/tiff/write-metadata.ts';
import { decodeFirstFrame } from '../../support/media/images.ts';

const SIDE = 64;
const MOST = 65_535;
const LINEAR = 8;
const SRGB_PRIMARIES = 1;

/** Linear samples from black on: a ramp in each channel, with the others from full to none. */
function linearSample(x: number, y: number, channel: number): number {
  const place = y * SIDE + x;
  return [place * 2, MOST - place * 16, (place * 977) % (MOST + 1), MOST][channel] ?? 0;
}

async function getSamples(format: 'png' | 'tiff', channels: 1 | 3 | 4): Promise<Bytes> {
  const samples = Uint16Array.from({ length: SIDE * SIDE * channels }, (_, at) => {
    const pixel = Math.floor(at / channels);
    return linearSample(pixel % SIDE, Math.floor(pixel / SIDE), at % channels);
  });
  const space = channels === 1 ? 'grey16' : 'rgb16';
  const image = sharp(samples, { raw: { width: SIDE, height: SIDE, channels } }).toColourspace(space);
  return new Uint8Array(
    await (format === 'png' ? image.png() : image.tiff({ compression: 'lzw' })).toBuffer(),
  );
}

function linearProfile(): Bytes {
  const encoding = getEncoding({ primaries: SRGB_PRIMARIES, transfer: LINEAR });
  const profile = encoding && encodingProfile(encoding, false);
  if (!profile) throw new Error('no profile');
  return profile;
}

async function statedPng(channels: 1 | 3 | 4): Promise<Bytes> {
  const file = await getSamples('png', channels);
  const head = PNG_SIGNATURE.length + 25;
  return concat([file.subarray(0, head), writePngChunk('gAMA', u32(100_000)), file.subarray(head)]);
}

test.each([
  ['a PNG of gray that states a gamma of 1', 1, () => statedPng(1)],
  ['a PNG that states a gamma of 1', 3, () => statedPng(3)],
  ['a PNG with alpha that states a gamma of 1', 4, () => statedPng(4)],
  [
    'a PNG with a linear profile',
    3,
    async () => concat(writePngMetadata(await getSamples('png', 3), { icc: linearProfile() })),
  ],
  [
    'a TIFF with a linear profile',
    3,
    async () => concat(writeTiffMetadata(await getSamples('tiff', 3), { icc: linearProfile() })),
  ],
] as const)('%s becomes sRGB, right to one of 65,535', async (_, channels, create) => {
  const { data } = await decodeFirstFrame(new Blob([await create()]));
  expect(data).toBeInstanceOf(Uint16Array);
  let furthest = 0;
  for (let at = 0; at < data.length; at++) {
    const pixel = at >> 2;
    const channel = channels === 1 && at % 4 < 3 ? 0 : at % 4;
    const linear = linearSample(pixel % SIDE, Math.floor(pixel / SIDE), channel);
    const wanted = channel === 3 ? linear : toGamma(linear / MOST) * MOST;
    furthest = Math.max(furthest, Math.abs((data[at] ?? 0) - wanted));
  }
  expect(furthest).toBeLessThanOrEqual(1);
});
