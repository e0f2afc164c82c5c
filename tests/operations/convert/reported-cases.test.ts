// @module-tag long

import { openAsBlob } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { getMessages } from '../../../models/core/runtime/run-warnings.ts';
import { getImageFormat } from '../../../models/media/image/find-format.ts';
import { readMetadata } from '../../../models/media/image/metadata.ts';
import { convert, convertToBlob, decodeFirstFrame, decodeFrames } from '../../support/media/images.ts';
import { sharedData } from '../../support/media/shared-data.ts';

/** Images of reported problems with their right values. Their twins are in the tests of each kind. */
const CASES = sharedData('cases/round4/images');
const open = (name: string) => openAsBlob(`${CASES.path}/${name}`);
const FORMATS = ['jpg', 'png', 'webp', 'gif', 'tiff', 'avif', 'bmp', 'heic'] as const;
/** Formats that hold metadata. */
const KEEPING = ['jpg', 'png', 'webp', 'tiff', 'avif', 'heic'] as const;

async function read(name: string, to_format: string, params: object = {}) {
  const frames = await decodeFrames(await convertToBlob(await open(name), { to_format, ...params }));
  const at = (x: number, y: number, frame = frames[0]) => {
    const start = 4 * (y * (frame?.width ?? 0) + x);
    return [...(frame?.data.subarray(start, start + 4) ?? [])];
  };
  return { frames, at };
}

async function readKept(name: string, to_format: string) {
  const { files, warnings } = await convert(await open(name), { to_format, keep_metadata: true });
  const bytes = new Uint8Array((await files[0]?.blob.arrayBuffer()) ?? []);
  const inflate = async (packed: Uint8Array) => new Uint8Array(inflateSync(packed));
  const { metadata } = await readMetadata(bytes, getImageFormat(bytes) ?? '', inflate);
  const xmp = new TextDecoder().decode(metadata.xmp);
  return { metadata, xmp, bytes: Buffer.from(bytes), warnings: getMessages(warnings) };
}

/** Returns the mean difference of the colours of two images where a pixel of the second is as opaque as asked. */
async function colourError(one: Blob, other: Blob, alphaOver: number): Promise<number> {
  const [left, right] = [await decodeFirstFrame(one), await decodeFirstFrame(other)];
  expect([left.width, left.height]).toEqual([right.width, right.height]);
  let [sum, count] = [0, 0];
  for (let at = 0; at < right.data.length; at += 4) {
    if ((right.data[at + 3] as number) <= alphaOver) continue;
    for (let part = at; part < at + 3; part++) {
      sum += Math.abs((left.data[part] as number) - (right.data[part] as number));
      count += 1;
    }
  }
  return sum / count;
}

describe.skipIf(CASES.isMissing)(CASES.titled('images of reported problems'), () => {
  test('colours that alpha has multiplied are divided by it', async () => {
    const { at } = await read('avif-premultiplied-alpha.avif', 'png');
    for (const [part, value] of [220, 129, 126, 129].entries())
      expect(Math.abs((at(64, 48)[part] as number) - value)).toBeLessThan(4);
    const png = await convertToBlob(await open('avif-premultiplied-alpha.avif'), { to_format: 'png' });
    expect(await colourError(png, await open('premultiplied-alpha.reference.png'), 40)).toBeLessThan(3);
    const { at: ramp } = await read('avif-alpha-ramp.avif', 'png');
    expect([16, 32, 48].map((x) => Math.abs((ramp(x, 20)[3] as number) - 2 * x) <= 1)).toEqual([
      true,
      true,
      true,
    ]);
  });

  test.each(['png', 'webp', 'tiff', 'avif'])(
    'edges keep their colour in %s, multiplied or not',
    async (format) => {
      for (const name of ['avif-premultiplied-icon.avif', 'avif-straight-icon.avif'])
        for (const params of [{}, { width: 200 }]) {
          const { frames } = await read(name, format, params);
          const { data } = frames[0] as (typeof frames)[0];
          let [count, sums] = [0, [0, 0, 0]];
          for (let at = 0; at < data.length; at += 4) {
            const alpha = data[at + 3] as number;
            if (alpha < 60 || alpha > 250) continue;
            count += 1;
            sums = sums.map((sum, part) => sum + (data[at + part] as number));
          }
          expect(count).toBeGreaterThan(0);
          for (const [part, value] of [220, 40, 30].entries())
            expect(Math.abs((sums[part] as number) / count - value)).toBeLessThan(12);
        }
    },
  );

  test.each(['png', 'webp', 'gif', 'jpg', 'bmp'])('uncovered ground of a GIF in %s', async (format) => {
    const { frames, at } = await read('gif-frame-smaller-than-screen.gif', format);
    expect([frames[0]?.width, frames[0]?.height]).toEqual([75, 50]);
    if (format === 'jpg' || format === 'bmp') expect(at(10, 20).every((value) => value > 250)).toBe(true);
    else expect(at(10, 20)[3]).toBe(0);
    expect(at(50, 20)[0]).toBeGreaterThan(200);
  });

  test.each(['webp', 'gif'])('disposal and a screen of 0 x 0 of a GIF in %s', async (format) => {
    const { frames, at } = await read('gif-dispose-background-no-transparency.gif', format);
    expect(frames).toHaveLength(4);
    expect(at(14, 5, frames.at(-1))[3]).toBe(0);
    const small = await read('gif-screen-0x0.gif', format);
    expect(small.frames.map(({ width, height }) => [width, height])).toEqual([
      [20, 10],
      [20, 10],
    ]);
    expect(small.at(5, 5)[0]).toBeGreaterThan(200);
    expect(small.at(5, 5, small.frames[1])[1]).toBeGreaterThan(100);
  });

  test('256 colours stay as they are in GIF', async () => {
    const [gif] = await decodeFrames(
      await convertToBlob(await open('png-256-colours.png'), { to_format: 'gif' }),
    );
    expect(gif?.data).toEqual((await decodeFirstFrame(await open('png-256-colours.png'))).data);
  });

  test.each(['webp', 'jpg', 'png', 'gif'])('XMP of a GIF in %s', async (format) => {
    const { xmp, bytes, warnings } = await readKept('gif-with-xmp.gif', format);
    if (format !== 'gif') expect(xmp).toContain('rights');
    else expect(bytes.includes('rights') || warnings.some((words) => words.includes('XMP'))).toBe(true);
  });

  test.each(FORMATS)("a camera's MakerNote is right or gone with a warning in %s", async (format) => {
    const { bytes, warnings } = await readKept('exif-makernote-canon.jpg', format);
    if (!bytes.includes('Owner Name Test')) expect(warnings.join(' ')).toMatch(/MakerNote|EXIF/);
  });

  test.each(KEEPING)('regions of XMP turn with the pixels in %s', async (format) => {
    const upright = await readKept('xmp-face-region-upright.jpg', format);
    expect(upright.xmp).toContain('Anna');
    expect(upright.xmp).toContain('GPano');
    const turned = await readKept('xmp-face-region-orientation6.jpg', format);
    expect(turned.xmp).toContain('Anna');
    expect(turned.xmp).toMatch(/stArea:x(>|=["'])0\.7\b/);
    expect(turned.xmp).toMatch(/stArea:y(>|=["'])0\.25\b/);
  });

  test.each(FORMATS)('texts are kept, or named in a warning, in %s', async (format) => {
    const png = await readKept('png-text-parameters.png', format);
    const names = ['parameters', 'prompt', 'Comment', 'workflow'];
    const kept = png.metadata.texts?.map(({ keyword }) => keyword) ?? [];
    for (const name of names) if (!kept.includes(name)) expect(png.warnings.join(' ')).toContain(name);
    if (format === 'png') expect(kept.toSorted()).toEqual(names.toSorted());
    const jpg = await readKept('jpeg-comment.jpg', format);
    if (format === 'jpg') expect(jpg.bytes.includes('hello')).toBe(true);
    if (!jpg.bytes.includes('hello')) expect(jpg.warnings.join(' ')).toMatch(/texts|comment/i);
  });

  test('extra samples and Zstandard of TIFF', async () => {
    const base = await open('base.reference.png');
    const zstd = await convertToBlob(await open('tiff-zstd.tif'), { to_format: 'png' });
    expect(await colourError(zstd, base, 0)).toBe(0);
    const masked = await convertToBlob(await open('tiff-rgb-alpha-and-mask.tif'), { to_format: 'png' });
    const { data, width } = await decodeFirstFrame(masked);
    const reference = await decodeFirstFrame(base);
    for (let at = 0; at < data.length; at += 4) {
      const x = (at / 4) % width;
      if (x <= 10 || x >= 110) expect(data[at + 3]).toBe(0);
      else expect(data.subarray(at, at + 4)).toEqual(reference.data.subarray(at, at + 4));
    }
  });
});
