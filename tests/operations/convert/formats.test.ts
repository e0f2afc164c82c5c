import { describe, expect, test } from 'vitest';
import { drawPattern, fadingAlpha } from '../../../lab/fixtures/pattern.ts';
import type { Raster } from '../../../models/core/runtime/raster.ts';
import { imageFormatOf } from '../../../models/media/image/find-format.ts';
import { TARGET_FORMATS } from '../../../models/operations/convert/schema.ts';
import {
  convert,
  convertToBlob,
  decodeFirstFrame,
  decodeImage,
  imageFixture,
  psnr,
} from '../../support/media/images.ts';

const OPAQUE = drawPattern();
const FADING = drawPattern(fadingAlpha);
const ON_WHITE = onWhite(FADING);
const GREY = patternGrey(OPAQUE);

/** Content of each source, and the best similarity of a decoder to it, in dB. */
const SOURCES: Record<string, { shows: Raster; hasAlpha: boolean; sourceDb: number }> = {
  'camera.jpg': { shows: OPAQUE, hasAlpha: false, sourceDb: 38 },
  'cmyk.jpg': { shows: OPAQUE, hasAlpha: false, sourceDb: 20 },
  'interlaced.png': { shows: OPAQUE, hasAlpha: false, sourceDb: 60 },
  'grey.png': { shows: GREY, hasAlpha: false, sourceDb: 45 },
  'fading.png': { shows: FADING, hasAlpha: true, sourceDb: 60 },
  'deep.png': { shows: FADING, hasAlpha: true, sourceDb: 45 },
  'palette.png': { shows: FADING, hasAlpha: true, sourceDb: 24 },
  'lossless.webp': { shows: FADING, hasAlpha: true, sourceDb: 60 },
  'animated.gif': { shows: OPAQUE, hasAlpha: false, sourceDb: 24 },
  'pages.tiff': { shows: OPAQUE, hasAlpha: false, sourceDb: 60 },
  'fading.avif': { shows: FADING, hasAlpha: true, sourceDb: 38 },
  'fading.heic': { shows: FADING, hasAlpha: true, sourceDb: 35 },
};

/**
 * Quality 92; a palette cannot hold an alpha ramp, and GIF's alpha is on or off. White is composited in whole steps.
 */
const TARGET_DB: Record<string, number> = {
  jpg: 34,
  jpeg: 34,
  gif: 16,
  bmp: 48,
  webp: 34,
  avif: 34,
  heic: 32,
};
const WITHOUT_ALPHA = new Set(['jpg', 'jpeg', 'bmp']);

describe.each(Object.entries(SOURCES))('%s', (name, { shows, hasAlpha, sourceDb }) => {
  test.each(TARGET_FORMATS)('looks the same as %s', async (to_format) => {
    const blob = await convertToBlob(await imageFixture(name), { to_format });
    const expectedFormat = to_format === 'jpg' ? 'jpeg' : to_format;
    expect(imageFormatOf(new Uint8Array(await blob.arrayBuffer()))).toBe(expectedFormat);
    const frame = await decodeFirstFrame(blob);
    const expected = WITHOUT_ALPHA.has(to_format) && hasAlpha ? ON_WHITE : shows;
    expect(psnr(expected, frame)).toBeGreaterThan(Math.min(sourceDb, TARGET_DB[to_format] ?? 100) - 1);
  });
});

test('the file has the name and media type of its target format', async () => {
  const { files, engine, warnings } = await convert(await imageFixture('fading.png'), { to_format: 'jpg' });
  expect(files).toMatchObject([{ name: 'output.jpg', mediaType: 'image/jpeg' }]);
  expect({ engine, warnings }).toEqual({ engine: 'codec', warnings: [] });
});

test.each(['png', 'tiff'])('16 bits per sample are kept in %s', async (to_format) => {
  const source = await decodeFirstFrame(await imageFixture('deep.png'));
  const target = await decodeFirstFrame(await convertToBlob(await imageFixture('deep.png'), { to_format }));
  expect(source.data).toBeInstanceOf(Uint16Array);
  expect(target.data).toEqual(source.data);
});

test('quality changes the size of lossy files only', async () => {
  const size = async (to_format: string, quality: number) =>
    (await convertToBlob(await imageFixture('interlaced.png'), { to_format, quality })).size;
  for (const format of ['jpg', 'webp', 'avif', 'heic']) {
    expect(await size(format, 20), format).toBeLessThan(await size(format, 95));
  }
  for (const format of ['png', 'bmp', 'tiff', 'gif']) {
    expect(await size(format, 20), format).toBe(await size(format, 95));
  }
});

test('an opaque image with an alpha channel gets no alpha image in HEIC', async () => {
  const heic = await convertToBlob(await imageFixture('interlaced.png'), { to_format: 'heic' });
  expect((await decodeImage(heic)).hasAlpha).toBe(false);
});

function onWhite(raster: Raster): Raster {
  const data = raster.data.map((sample, at) => {
    const alpha = (raster.data[at - (at % 4) + 3] as number) / 255;
    return at % 4 === 3 ? 255 : Math.round(sample * alpha + 255 * (1 - alpha));
  }) as Raster['data'];
  return { ...raster, data };
}

/** CIE lightness of sRGB, as libvips turns colour into grey. */
function patternGrey(raster: Raster): Raster {
  const linear = (sample: number) =>
    sample <= 10.31 ? sample / 3294.6 : ((sample / 255 + 0.055) / 1.055) ** 2.4;
  const encoded = (light: number) =>
    light <= 0.0031308 ? light * 3294.6 : 255 * (1.055 * light ** (1 / 2.4) - 0.055);
  const data = new Uint8Array(raster.data.length).fill(255);
  for (let at = 0; at < data.length; at += 4) {
    const [red, green, blue] = [...raster.data.subarray(at, at + 3)].map(linear);
    data.fill(
      Math.round(encoded(0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0))),
      at,
      at + 3,
    );
  }
  return { ...raster, data };
}
