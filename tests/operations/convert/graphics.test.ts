import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import { drawDiscs, drawGrayLines, drawThinLines, RED } from '../../support/media/drawings.ts';
import { convertToBlob, decodeFirstFrame, decodeImage } from '../../support/media/images.ts';
import { sharedData } from '../../support/media/shared-data.ts';

const THIN_LINES = sharedData('cases/images/thin-red-lines.png');

async function convertDrawing(drawing: Uint8Array, params: object): Promise<Buffer> {
  return Buffer.from(await (await convertToBlob(new Blob([new Uint8Array(drawing)]), params)).arrayBuffer());
}

/** Encodes as photographs are: the size that a drawing may exceed by a third at most. */
async function encodeAsPhotograph(drawing: Uint8Array, format: string): Promise<number> {
  const image = sharp(drawing);
  const file = format === 'webp' ? image.webp({ quality: 92, effort: 2 }) : image.jpeg({ quality: 92 });
  return (await file.toBuffer()).length;
}

/** Returns the mean colour of the pixels that have a colour in the original. */
async function meanOfRed(
  drawing: Uint8Array,
  file: Uint8Array,
  red: readonly [number, number, number] = RED,
): Promise<number[]> {
  const [before, after] = await Promise.all(
    [drawing, file].map((each) => sharp(each).removeAlpha().raw().toBuffer()),
  );
  const sums = [0, 0, 0];
  let count = 0;
  for (let at = 0; at < (before?.length ?? 0); at += 3) {
    if (before?.[at] !== red[0] || before?.[at + 1] !== red[1]) continue;
    count += 1;
    for (const channel of [0, 1, 2]) sums[channel] = (sums[channel] ?? 0) + (after?.[at + channel] ?? 0);
  }
  return sums.map((sum) => Math.round(sum / count));
}

function distance(one: readonly number[], other: readonly number[]): number {
  return Math.max(...one.map((value, at) => Math.abs(value - (other[at] ?? 0))));
}

const toBytes = async (file: Blob) => new Uint8Array(await file.arrayBuffer());
const png = (image: Sharp) => image.png().toBuffer();

describe('a drawing', () => {
  test.each(['jpg', 'webp', 'avif'])('of thin red lines stays red as %s', async (to_format) => {
    const drawing = await png(drawThinLines());
    const file = await convertDrawing(drawing, { to_format });
    expect(distance(await meanOfRed(drawing, file), RED)).toBeLessThanOrEqual(8);
  });

  test.each([
    ['thin red lines', drawThinLines],
    ['discs', drawDiscs],
    ['gray lines', drawGrayLines],
  ])('of %s grows by no more than a third in any format', async (_, draw) => {
    const drawing = await png(draw());
    for (const format of ['jpg', 'webp']) {
      const { length } = await convertDrawing(drawing, { to_format: format });
      expect(length).toBeLessThanOrEqual((4 / 3) * (await encodeAsPhotograph(drawing, format)));
    }
  });

  test.each([20, 92, 100])('as webp at %i keeps every sample where that is small enough', async (quality) => {
    const drawing = await png(drawThinLines());
    const file = await convertDrawing(drawing, { to_format: 'webp', quality });
    expect(await sharp(file).raw().toBuffer()).toEqual(await sharp(drawing).raw().toBuffer());
  });

  test('with alpha keeps it, and its colours', async () => {
    const lines = await drawThinLines().ensureAlpha().raw().toBuffer();
    lines.forEach((_, at) => {
      if (at % 4 === 3) lines[at] = (at >> 2) % 160 < 80 ? 255 : 90;
    });
    const drawing = await png(sharp(lines, { raw: { width: 160, height: 120, channels: 4 } }));
    const file = await convertDrawing(drawing, { to_format: 'webp' });
    expect(await sharp(file).raw().toBuffer()).toEqual(lines);
  });

  test('that moves keeps its colours in every frame', async () => {
    const frames = await Promise.all([drawThinLines(), drawThinLines().flop()].map(png));
    const gif = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    const file = await convertDrawing(gif, { to_format: 'webp' });
    expect(await sharp(file).metadata()).toMatchObject({ pages: 2 });
    const [before, after] = await Promise.all(
      [gif, file].map((each) => sharp(each, { animated: true }).flatten().raw().toBuffer()),
    );
    expect(after).toEqual(before);
  });
});

describe('a photograph', () => {
  const photograph = () =>
    sharp(resolve(import.meta.dirname, '../../../public/samples/lemur.jpg')).resize(480);

  test.each(['jpg', 'webp'])('as %s is coded as before', async (to_format) => {
    const image = await png(photograph());
    const { length } = await convertDrawing(image, { to_format });
    expect(length).toBe(await encodeAsPhotograph(image, to_format));
  });

  test.each(['jpg', 'webp'])('with a coloured caption keeps its colour as %s at 100', async (to_format) => {
    const lines = await png(drawThinLines());
    const image = await photograph()
      .composite([{ input: lines, left: 20, top: 20 }])
      .png()
      .toBuffer();
    const file = await convertDrawing(image, { to_format, quality: 100 });
    expect(distance(await meanOfRed(image, file), RED)).toBeLessThanOrEqual(6);
  });
});

test.each(['png', 'webp', 'gif', 'tiff', 'avif', 'heic'])(
  'an image without alpha has none as %s, nor after another conversion',
  async (to_format) => {
    for (const draw of [drawGrayLines, drawDiscs]) {
      const file = await convertToBlob(new Blob([new Uint8Array(await png(draw()))]), { to_format });
      expect((await decodeImage(file)).hasAlpha).toBe(false);
      expect(
        (await sharp(await convertDrawing(await toBytes(file), { to_format: 'png' })).metadata()).hasAlpha,
      ).toBe(false);
    }
  },
);

describe('a gray image', () => {
  // libwebp and browsers decode neutral chroma of a lossy WebP with green one level lower for some lightnesses.
  const TINT_MAX: Readonly<Record<string, number>> = { webp: 1 };

  async function expectGray(to_format: string): Promise<void> {
    const photograph = sharp(resolve(import.meta.dirname, '../../../public/samples/lemur.jpg')).resize(200);
    for (const space of ['b-w', 'srgb']) {
      const image = await png(photograph.clone().grayscale().toColourspace(space));
      for (const quality of [60, 92]) {
        const file = await convertToBlob(new Blob([new Uint8Array(image)]), { to_format, quality });
        const { data } = await decodeFirstFrame(file);
        const tints = Array.from({ length: data.length / 4 }, (_, pixel) => {
          const colour = [...data.subarray(pixel * 4, pixel * 4 + 3)];
          return Math.max(...colour) - Math.min(...colour);
        });
        expect(tints.reduce((most, tint) => Math.max(most, tint))).toBeLessThanOrEqual(
          TINT_MAX[to_format] ?? 0,
        );
      }
    }
  }

  test.each(['jpg', 'png', 'avif'])('stays gray as %s', expectGray);
  test.each(['webp', 'gif', 'bmp', 'tiff', 'heic'])('stays gray as %s', { tags: ['long'] }, expectGray);
});

test.skipIf(THIN_LINES.isMissing).each(['jpg', 'webp'])(
  THIN_LINES.titled('reported red lines stay red as %s'),
  { tags: ['long'] },
  async (to_format) => {
    const drawing = await readFile(THIN_LINES.path);
    const red = [255, 38, 0] as const;
    const file = await convertDrawing(drawing, { to_format });
    expect(distance(await meanOfRed(drawing, file, red), red)).toBeLessThanOrEqual(12);
  },
);

test('a photograph as PNG is a fifth smaller than without filters, and a drawing no larger', async () => {
  const photograph = await readFile(resolve('public/samples/otter.jpg'));
  const drawing = await drawGrayLines().png().toBuffer();
  for (const [file, shareMax] of [
    [photograph, 0.8],
    [drawing, 1.01],
  ] as const) {
    const { length: unfiltered } = await sharp(file).png({ compressionLevel: 6 }).toBuffer();
    expect((await convertDrawing(file, { to_format: 'png' })).length / unfiltered).toBeLessThan(shareMax);
  }
});
