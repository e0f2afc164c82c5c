import { openAsBlob } from 'node:fs';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { Frame } from '../../../models/core/runtime/raster.ts';
import { u32 } from '../../../models/media/bytes/byte-writer.ts';
import { writePngChunk } from '../../../models/media/image/png/chunks.ts';
import { asAdobeRgb, STATED_COLOURS } from '../../support/media/colours/stated-colours.ts';
import {
  convert,
  convertToBlob,
  decodeFirstFrame,
  decodeImage,
  imageFixture,
} from '../../support/media/images.ts';
import { sharedData } from '../../support/media/shared-data.ts';

function colourOf({ data }: Frame): number[] {
  const scale = data instanceof Uint16Array ? 257 : 1;
  return Array.from(data.subarray(0, 3), (sample) => Math.round(sample / scale));
}

function furthest(one: readonly number[], other: readonly number[]): number {
  return Math.max(...one.map((part, at) => Math.abs(part - (other[at] ?? 0))));
}

describe.each(STATED_COLOURS)('$name', ({ file, expected, tolerance }) => {
  test('becomes sRGB', async () => {
    const colour = colourOf(await decodeFirstFrame(await convertToBlob(await file(), { to_format: 'png' })));
    expect(furthest(colour, expected), `${colour} is not ${expected}`).toBeLessThanOrEqual(tolerance);
  });

  test('looks the same with its metadata kept', async () => {
    const kept = await convertToBlob(await file(), { to_format: 'png', keep_metadata: true });
    const colour = colourOf(await decodeFirstFrame(kept));
    expect(furthest(colour, expected), `${colour} is not ${expected}`).toBeLessThanOrEqual(tolerance + 1);
  });
});

test.each(['b-w', 'grey16'])('a grey PNG (%s) of linear samples stays grey', async (space) => {
  const background = { r: 55, g: 55, b: 55 };
  const grey = await sharp({ create: { width: 8, height: 8, channels: 3, background } })
    .toColourspace(space)
    .png()
    .toBuffer();
  const file = new Uint8Array(grey);
  const linear = new Blob([file.subarray(0, 33), writePngChunk('gAMA', u32(100_000)), file.subarray(33)]);
  // 55/255 of light: IEC 61966-2-1, 5.2.
  const expected = Math.round(255 * (1.055 * (55 / 255) ** (1 / 2.4) - 0.055));
  expect(colourOf(await decodeFirstFrame(linear))).toEqual([expected, expected, expected]);
});

test('gray in red, green and blue of linear samples stays gray', async () => {
  const samples = Uint8Array.from({ length: 256 * 3 }, (_, at) => Math.floor(at / 3));
  const png = await sharp(samples, { raw: { width: 256, height: 1, channels: 3 } })
    .png()
    .toBuffer();
  const file = new Uint8Array(png);
  const linear = new Blob([file.subarray(0, 33), writePngChunk('gAMA', u32(100_000)), file.subarray(33)]);
  const { data } = await decodeFirstFrame(await convertToBlob(linear, { to_format: 'png' }));
  for (let at = 0; at < data.length; at += 4) {
    // IEC 61966-2-1, 5.2.
    const light = at / 4 / 255;
    const level = 255 * (light <= 0.003_130_8 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055);
    const [red = 0, ...others] = data.subarray(at, at + 3);
    expect(others).toEqual([red, red]);
    expect(Math.abs(red - level)).toBeLessThanOrEqual(0.6);
  }
});

test('what EXIF says of colours does not apply to inks', async () => {
  const inks = await imageFixture('cmyk.jpg');
  const [plain, stated] = [await decodeFirstFrame(inks), await decodeFirstFrame(await asAdobeRgb(inks))];
  expect(stated.data).toEqual(plain.data);
});

test.each(['png', 'tiff'])(
  'a %s of 16 bits with a profile becomes sRGB, not Display P3',
  async (to_format) => {
    const background = { r: 200, g: 100, b: 50 };
    const png = await sharp({ create: { width: 8, height: 8, channels: 3, background } })
      .toColourspace('rgb16')
      .withIccProfile('p3')
      .png()
      .toBuffer();
    const file = await convertToBlob(new Blob([new Uint8Array(png)]), { to_format, keep_metadata: true });
    expect((await sharp(await file.arrayBuffer()).metadata()).depth).toBe('ushort');
    expect(furthest(colourOf(await decodeFirstFrame(file)), [200, 100, 50])).toBeLessThanOrEqual(1);
  },
);

test('high dynamic range gives a warning', async () => {
  const hdr = STATED_COLOURS.find(({ name }) => name === 'PNG cICP of PQ');
  if (!hdr) throw new Error('no PQ');
  const { warnings } = await convert(await hdr.file(), { to_format: 'jpg' });
  expect(warnings?.map(({ kind }) => kind)).toEqual(['tone_mapped']);
});

const CASES = sharedData('cases/images');

describe.skipIf(CASES.isMissing)(CASES.titled('reported colours'), { tags: ['long'] }, () => {
  const open = (name: string) => openAsBlob(`${CASES.path}/${name}`);
  const meanOf = ({ data }: Frame, other?: Frame) => {
    let sum = 0;
    for (let at = 0; at < data.length; at++) {
      if (at % 4 < 3) sum += Math.abs((data[at] as number) - (other?.data[at] ?? 0));
    }
    return sum / (data.length * 0.75);
  };

  test('a PNG of linear samples has its brightness', async () => {
    const jpeg = await convertToBlob(await open('png-gama-linear.png'), { to_format: 'jpg' });
    expect(Math.round(meanOf(await decodeFirstFrame(jpeg)))).toBe(80);
  });

  test('a PNG with exchanged primaries equals its reference', async () => {
    const [frame, reference] = await Promise.all(
      ['png-chrm-swap.png', 'png-chrm-swap.reference.png'].map(async (name) =>
        decodeFirstFrame(await open(name)),
      ),
    );
    if (!frame || !reference) throw new Error('no frames');
    expect(meanOf(frame, reference)).toBeLessThan(1);
    expect((await decodeImage(await open('png-chrm-swap.png'))).metadata.icc).toBeUndefined();
  });
});
