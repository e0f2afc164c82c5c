import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it, test } from 'vitest';
import type { Raster } from '../../../../models/core/runtime/raster.ts';
import { getPicture, getStrips } from '../../../../models/kernels/raster/picture.ts';
import { isCmykJpeg } from '../../../../models/media/image/jpeg/segments.ts';
import { readPngChunks } from '../../../../models/media/image/png/chunks.ts';
import { writePng } from '../../../../models/media/image/png/write-png.ts';
import { deflate } from '../../../../server/runtime/image-codec/zlib.ts';
import { imageFixture } from '../../../support/media/images.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** Rasters of any samples; sharp accepts them unchanged. */
const rasters = fc
  .record({
    width: fc.integer({ min: 1, max: 20 }),
    height: fc.integer({ min: 1, max: 150 }),
    is16Bit: fc.boolean(),
    seed: fc.integer({ min: 1, max: 2 ** 31 }),
  })
  .map(({ width, height, is16Bit, seed }): Raster => {
    const data = new (is16Bit ? Uint16Array : Uint8Array)(width * height * 4);
    let state = seed;
    for (let at = 0; at < data.length; at++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      // Runs of equal samples, so that each filter wins somewhere.
      data[at] = state & 0x300 ? (data[at - 4] ?? 7) : state >>> 16;
    }
    return { width, height, data };
  });

/** Writes a PNG as one piece. */
async function getPng(...args: Parameters<typeof writePng>): Promise<Bytes> {
  return new Uint8Array(await new Blob([...(await writePng(...args))]).arrayBuffer());
}

const inOneStrip = (raster: Raster) => getStrips(getPicture(raster, { hasAlpha: true, metadata: {} }));

async function getSamples(file: Uint8Array, { data }: Raster, page = 0): Promise<Raster['data']> {
  const is16Bit = data instanceof Uint16Array;
  const bytes = await sharp(file, { page })
    .toColourspace(is16Bit ? 'rgb16' : 'srgb')
    .ensureAlpha()
    .raw({ depth: is16Bit ? 'ushort' : 'uchar' })
    .toBuffer();
  const copy = new Uint8Array(bytes);
  return is16Bit ? new Uint16Array(copy.buffer) : copy;
}

function opaque(raster: Raster): Raster {
  const most = raster.data instanceof Uint16Array ? 0xffff : 0xff;
  return {
    ...raster,
    data: raster.data.map((sample, at) => (at % 4 === 3 ? most : sample)) as Raster['data'],
  };
}

describe('PNG', () => {
  test('libpng reads every sample as written', () =>
    fc.assert(
      fc.asyncProperty(rasters, async (raster) => {
        expect(await getSamples(await getPng(inOneStrip(raster), true, deflate), raster)).toEqual(
          raster.data,
        );
        const plain = await getPng(inOneStrip(raster), false, deflate);
        expect(await getSamples(plain, raster)).toEqual(opaque(raster).data);
      }),
      { numRuns: 40 },
    ));

  test('a large file is written in chunks of about a mebibyte', async () => {
    let state = 1;
    const data = Uint8Array.from({ length: 1000 * 900 * 4 }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state >>> 24;
    });
    const raster = { width: 1000, height: 900, data };
    const file = await getPng(inOneStrip(raster), true, deflate);
    const chunks = readPngChunks(file).filter(({ type }) => type === 'IDAT');
    expect(chunks.length).toBeGreaterThan(1);
    expect(Math.max(...chunks.map(({ body }) => body.length))).toBeLessThan(2 ** 21);
    // Element by element, `toEqual` takes twenty seconds.
    expect(Buffer.from(await getSamples(file, raster)).equals(data)).toBe(true);
  });

  test('writing a tall file reports progress', async () => {
    const raster = { width: 4, height: 150, data: new Uint8Array(4 * 150 * 4) };
    const shown: number[] = [];
    await getPng(inOneStrip(raster), true, deflate, ({ fraction }) => shown.push(fraction));
    expect(shown).toEqual([64 / 150, 128 / 150, 1]);
  });
});

it.each([
  ['cmyk.jpg', true],
  ['camera.jpg', false],
])('%s is a CMYK JPEG: %s', async (name, areInks) => {
  expect(isCmykJpeg(new Uint8Array(await (await imageFixture(name)).arrayBuffer()))).toBe(areInks);
});
