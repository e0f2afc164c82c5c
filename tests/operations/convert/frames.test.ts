import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { messagesOf } from '../../../models/core/runtime/run-warnings.ts';
import { writePngChunk } from '../../../models/media/image/png/chunks.ts';
import {
  convert,
  convertToBlob,
  decodeFrames,
  decodeImage,
  imageFixture,
  psnr,
} from '../../support/media/images.ts';

async function timingOf(blob: Blob) {
  const { pages, loop, delay } = await sharp(new Uint8Array(await blob.arrayBuffer())).metadata();
  return { pages, loop, delay };
}

describe.each(['animated.gif', 'animated.webp'])('%s', (name) => {
  test.each(['gif', 'webp'])('keeps frames, delays and loops as %s', async (to_format) => {
    const blob = await convertToBlob(await imageFixture(name), { to_format });
    expect(await timingOf(blob)).toEqual({ pages: 3, loop: 3, delay: [50, 100, 250] });
    const frames = await decodeFrames(blob);
    const expected = await decodeFrames(await imageFixture('animated.webp'));
    expect(frames).toHaveLength(3);
    frames.forEach((frame, index) => {
      const other = expected[index];
      expect(other && psnr(other, frame), `frame ${index}`).toBeGreaterThan(23);
    });
  });

  test('becomes pages in tiff', async () => {
    const pages = await decodeFrames(await convertToBlob(await imageFixture(name), { to_format: 'tiff' }));
    const source = await decodeFrames(await imageFixture(name));
    expect(pages.map(({ data }) => data)).toEqual(source.map(({ data }) => data));
  });

  test.each(['jpg', 'png', 'bmp', 'avif', 'heic'])('keeps only frame 0 as %s', async (to_format) => {
    const frames = await decodeFrames(await convertToBlob(await imageFixture(name), { to_format }));
    const [first] = await decodeFrames(await imageFixture(name));
    expect(frames).toHaveLength(1);
    expect(first && frames[0] && psnr(first, frames[0])).toBeGreaterThan(30);
  });
});

test('a tiff keeps its pages as tiff', async () => {
  const picture = await decodeImage(
    await convertToBlob(await imageFixture('pages.tiff'), { to_format: 'tiff' }),
  );
  expect(picture).toMatchObject({ frameCount: 3, width: 67, height: 45 });
});

test('an image with one frame keeps one frame', async () => {
  const blob = await convertToBlob(await imageFixture('fading.png'), { to_format: 'gif' });
  expect(await decodeFrames(blob)).toHaveLength(1);
});

/** A PNG whose `acTL` chunk states a number of frames, after a comment of some bytes. */
async function pngStating(frames: number, commentBytes: number): Promise<Blob> {
  const file = new Uint8Array(await (await imageFixture('palette.png')).arrayBuffer());
  const headEnd = 33;
  const comment = writePngChunk('tEXt', new Uint8Array(commentBytes).fill(65));
  const control = writePngChunk('acTL', new Uint8Array([0, 0, 0, frames, 0, 0, 0, 0]));
  return new Blob([file.subarray(0, headEnd), comment, control, file.subarray(headEnd)]);
}

test.each([
  [1, 10, []],
  [2, 5000, ['The image has 2 frames: only the first is kept.']],
])('a PNG that states %i frame(s) after %i bytes gives the warnings %j', async (frames, bytes, warnings) => {
  const { warnings: found } = await convert(await pngStating(frames, bytes), { to_format: 'gif' });
  expect(messagesOf(found)).toEqual(warnings);
});
