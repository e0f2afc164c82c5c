import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { FloatImage } from '../../../../models/core/runtime/raster.ts';
import { mirrorImage, orientRaster } from '../../../../models/kernels/raster/orient-raster.ts';
import { assembleStrips } from '../../../../models/kernels/raster/picture.ts';
import { convertToSrgb } from '../../../../models/media/image/metadata/convert-to-srgb.ts';
import { getOrientation, getTiffStream } from '../../../../models/media/image/metadata/exif.ts';
import { readMatrixProfile } from '../../../../models/media/image/metadata/read-profile.ts';
import { srgbProfile } from '../../../../models/media/image/metadata/write-profile.ts';
import { spreadColours } from '../../../../models/operations/upscale/enlarge-strips.ts';

function ramp(width: number, height: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: width * height * 4 }, (_, at) =>
    at % 4 === 3 ? 255 : (at * 37 + (at >> 5)) % 256,
  );
}

/** Returns the largest difference between two samples at one position. */
function furthest(one: readonly number[], other: ArrayLike<number>): number {
  return one.reduce((most, sample, at) => Math.max(most, Math.abs(sample - (other[at] as number))), 0);
}

test('an image whose strips have been read is not taken for an empty one', async () => {
  async function* strips() {
    yield { width: 2, height: 2, data: ramp(2, 2) };
  }
  const image = { width: 2, height: 2, bitDepth: 8, strips: strips() } as const;
  expect((await assembleStrips(image)).data).toEqual(ramp(2, 2));
  await expect(assembleStrips(image)).rejects.toThrow('0 of its 2 rows');
});

test('colours spread ring by ring from what is visible', () => {
  const side = 7;
  const colours = new Float32Array(side * side * 3);
  const alpha = new Float32Array(side * side);
  const places = [0, 1, 2].map((plane) => plane * side * side + 3 * side + 3);
  places.forEach((place, channel) => {
    colours[place] = (channel + 1) / 4;
  });
  alpha[3 * side + 3] = 1;
  spreadColours({ width: side, height: side, colours }, alpha, 2);
  for (let place = 0; place < side * side; place++) {
    const [x, y] = [place % side, Math.floor(place / side)];
    const isNear = Math.max(Math.abs(x - 3), Math.abs(y - 3)) <= 2;
    const colour = [0, 1, 2].map((plane) => colours[plane * side * side + place]);
    expect(colour).toEqual(isNear ? [0.25, 0.5, 0.75] : [0, 0, 0]);
  }
});

describe.each([1, 2, 3, 4, 5, 6, 7, 8])('EXIF orientation %i', (orientation) => {
  test('rotates a raster as libvips does', async () => {
    const [width, height] = [5, 3];
    const data = ramp(width, height);
    const raw = { width, height, channels: 4 } as const;
    const file = await sharp(data, { raw }).withMetadata({ orientation }).png().toBuffer();
    const { exif } = await sharp(file).metadata();
    if (!exif) throw new Error('no EXIF');
    const turned = orientRaster({ width, height, data }, getOrientation(getTiffStream(new Uint8Array(exif))));
    const expected = await sharp(file).autoOrient().raw().toBuffer({ resolveWithObject: true });
    expect([turned.width, turned.height]).toEqual([expected.info.width, expected.info.height]);
    expect([...turned.data]).toEqual([...expected.data]);
  });
});

describe('ICC profiles', () => {
  test('our own sRGB profile changes nothing', () => {
    const profile = readMatrixProfile(srgbProfile());
    if (!profile) throw new Error('not a matrix profile');
    const bytes = { width: 64, height: 64, data: ramp(64, 64) };
    const words = { width: 64, height: 64, data: Uint16Array.from(bytes.data, (sample) => sample * 257) };
    // The file's numbers have 16 binary places, which is a quarter of an 8-bit step at most.
    for (const [raster, step] of [[bytes, 0] as const, [words, 64] as const]) {
      const before = [...raster.data];
      convertToSrgb(raster, profile);
      expect(furthest(before, raster.data)).toBeLessThanOrEqual(step);
    }
  });

  test.each(['p3', 'srgb'])('%s is converted to sRGB within one step of LittleCMS', async (name) => {
    const raw = { width: 64, height: 64, channels: 4 } as const;
    const file = await sharp(ramp(64, 64), { raw }).withIccProfile(name).png().toBuffer();
    const { icc } = await sharp(file).metadata();
    const profile = icc && readMatrixProfile(new Uint8Array(icc));
    if (!profile) throw new Error('not a matrix profile');
    const data = new Uint8Array(await sharp(file, { ignoreIcc: true }).ensureAlpha().raw().toBuffer());
    convertToSrgb({ width: 64, height: 64, data }, profile);
    const expected = await sharp(file).ensureAlpha().raw().toBuffer();
    const off = data.reduce(
      (most, sample, at) => Math.max(most, Math.abs(sample - (expected[at] as number))),
      0,
    );
    expect(off).toBeLessThanOrEqual(1);
  });

  test('a profile without a matrix, or damaged, is rejected', () => {
    const profile = srgbProfile();
    expect(readMatrixProfile(profile.slice(0, 150))).toBeNull();
    expect(readMatrixProfile(new Uint8Array(200))).toBeNull();
    fc.assert(
      fc.property(fc.nat(profile.length - 1), fc.nat(255), (at, byte) => {
        const damaged = profile.slice();
        damaged[at] = byte;
        expect(() => readMatrixProfile(damaged)).not.toThrow();
      }),
    );
  });
});

test.each([1, 3])('a mirrored image of %d channels has each row in reverse', (channels) => {
  const [width, height] = [5, 3];
  const data = Float32Array.from({ length: width * height * channels }, (_, at) => at);
  const image: FloatImage = { width, height, channels, data };
  const mirrored = mirrorImage(image);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const place = (y * width + x) * channels;
      const other = (y * width + width - 1 - x) * channels;
      expect(mirrored.data.slice(place, place + channels)).toEqual(data.slice(other, other + channels));
    }
  }
  expect(mirrorImage(mirrored)).toEqual(image);
});
