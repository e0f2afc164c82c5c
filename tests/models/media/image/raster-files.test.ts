import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it, test } from 'vitest';
import type { Raster } from '../../../../models/core/runtime/raster.ts';
import { getPicture, getStrips } from '../../../../models/kernels/raster/picture.ts';
import { type CmykGrid, cmykToSrgb } from '../../../../models/media/image/icc/cmyk-to-srgb.ts';
import { isCmykJpeg } from '../../../../models/media/image/jpeg/segments.ts';
import { readPngChunks } from '../../../../models/media/image/png/chunks.ts';
import { readDeepPng } from '../../../../models/media/image/png/read-png.ts';
import { writePng } from '../../../../models/media/image/png/write-png.ts';
import { writeTiff } from '../../../../models/media/image/tiff/write-tiff.ts';
import { writeWebpAnimation } from '../../../../models/media/image/webp/write-animation.ts';
import { deflate } from '../../../../server/runtime/image-codec/zlib.ts';
import { imageFixture } from '../../../support/media/images.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const inflate = async (packed: Bytes): Promise<Bytes> => new Uint8Array(inflateSync(packed));

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

  test.each([false, true])('a 16-bit file by libpng is read exactly, interlaced: %s', async (progressive) => {
    const [raster] = fc.sample(
      rasters.filter(({ data }) => data instanceof Uint16Array),
      { numRuns: 1, seed: 3 },
    );
    if (!raster) throw new Error('no raster');
    const { width, height, data } = raster;
    const file = await sharp(data as Uint16Array, { raw: { width, height, channels: 4 } })
      .toColourspace('rgb16')
      .png({ progressive })
      .toBuffer();
    const read = await readDeepPng(new Uint8Array(file), inflate);
    expect(read).toEqual({ ...raster, hasAlpha: true });
  });

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

  test('a damaged 16-bit file is rejected', async () => {
    const raster = { width: 9, height: 9, data: new Uint16Array(9 * 9 * 4) };
    const file = await getPng(inOneStrip(raster), true, deflate);
    await expect(readDeepPng(file.slice(0, -30), inflate)).rejects.toMatchObject({ code: 'unprocessable' });
  });
});

test('TIFF: libtiff reads each page as written', () =>
  fc.assert(
    fc.asyncProperty(rasters, fc.boolean(), async (raster, hasAlpha) => {
      async function* pages() {
        yield raster;
        yield raster;
      }
      const file = await writeTiff(pages(), hasAlpha, deflate);
      const expected = hasAlpha ? raster : opaque(raster);
      for (const page of [0, 1]) expect(await getSamples(file, raster, page)).toEqual(expected.data);
    }),
    { numRuns: 40 },
  ));

test('animated WebP: libwebp reads frames, delays and loops', async () => {
  const size = { width: 8, height: 6, hasAlpha: false };
  const still = async (width: number, height: number, background: string) =>
    new Uint8Array(
      await sharp({ create: { width, height, channels: 3, background } })
        .webp({ lossless: true })
        .toBuffer(),
    );
  const whole = { left: 0, top: 0, width: 8, height: 6 };
  const part = { left: 2, top: 4, width: 3, height: 2 };
  const file = writeWebpAnimation(size, 3, [
    { region: whole, durationMs: 50, still: await still(8, 6, '#ff0000') },
    { region: part, durationMs: 120, still: await still(3, 2, '#0000ff') },
    { region: part, durationMs: 0, still: await still(3, 2, '#00ff00') },
  ]);
  const animation = sharp(file, { pages: -1 });
  expect(await animation.metadata()).toMatchObject({
    pages: 3,
    delay: [50, 120, 100],
    loop: 3,
    pageHeight: 6,
  });
  const { data, info } = await animation.raw().toBuffer({ resolveWithObject: true });
  const pixel = (page: number, x: number, y: number) => {
    const at = ((page * 6 + y) * 8 + x) * info.channels;
    return [...data.subarray(at, at + 3)];
  };
  expect([pixel(1, 1, 4), pixel(1, 2, 4), pixel(1, 4, 5), pixel(1, 5, 5)]).toEqual([
    [255, 0, 0],
    [0, 0, 255],
    [0, 0, 255],
    [255, 0, 0],
  ]);
});

/** Grid of two nodes per ink: no ink and full ink. */
function getGrid(colour: (c: number, m: number, y: number, k: number) => number[]): CmykGrid {
  const nodes = [0, 1];
  const colours = nodes.flatMap((c) =>
    nodes.flatMap((m) => nodes.flatMap((y) => nodes.flatMap((k) => colour(c, m, y, k)))),
  );
  return { nodes: 2, colours: Uint8Array.from(colours) };
}

describe('CMYK colours converted by a grid', () => {
  const grid = getGrid((c, m, y, k) => [c, m, y].map((ink) => 255 * (1 - ink) * (1 - k)));

  it('equal the nodes at full and no ink', () => {
    const inks = Uint8Array.from([0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255]);
    const { data } = cmykToSrgb(inks, 5, 1, grid);
    const colours = [0, 4, 8, 12, 16].map((at) => Array.from(data.subarray(at, at + 4)));
    expect(colours).toEqual([
      [255, 255, 255, 255],
      [0, 255, 255, 255],
      [255, 0, 255, 255],
      [255, 255, 0, 255],
      [0, 0, 0, 255],
    ]);
  });

  it('are linear between the nodes', () => {
    const { data } = cmykToSrgb(Uint8Array.from([51, 102, 204, 0]), 1, 1, grid);
    expect(Array.from(data)).toEqual([204, 153, 51, 255]);
  });
});

it.each([
  ['cmyk.jpg', true],
  ['camera.jpg', false],
])('%s is a CMYK JPEG: %s', async (name, areInks) => {
  expect(isCmykJpeg(new Uint8Array(await (await imageFixture(name)).arrayBuffer()))).toBe(areInks);
});
