import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { converted, fixture, framesOf, open, psnr } from '../../support/images.ts';

async function timingOf(blob: Blob) {
  const { pages, loop, delay } = await sharp(new Uint8Array(await blob.arrayBuffer())).metadata();
  return { pages, loop, delay };
}

describe.each(['animated.gif', 'animated.webp'])('%s', (name) => {
  test.each(['gif', 'webp'])('keeps frames, delays and loops as %s', async (to_format) => {
    const blob = await converted(await fixture(name), { to_format });
    expect(await timingOf(blob)).toEqual({ pages: 3, loop: 3, delay: [50, 100, 250] });
    const frames = await framesOf(blob);
    const expected = await framesOf(await fixture('animated.webp'));
    expect(frames).toHaveLength(3);
    frames.forEach((frame, index) => {
      const other = expected[index];
      expect(other && psnr(other, frame), `frame ${index}`).toBeGreaterThan(23);
    });
  });

  test('becomes pages in tiff', async () => {
    const pages = await framesOf(await converted(await fixture(name), { to_format: 'tiff' }));
    const source = await framesOf(await fixture(name));
    expect(pages.map(({ data }) => data)).toEqual(source.map(({ data }) => data));
  });

  test.each(['jpg', 'png', 'bmp', 'avif', 'heic'])('gives frame 0 as %s', async (to_format) => {
    const frames = await framesOf(await converted(await fixture(name), { to_format }));
    const [first] = await framesOf(await fixture(name));
    expect(frames).toHaveLength(1);
    expect(first && frames[0] && psnr(first, frames[0])).toBeGreaterThan(30);
  });
});

test('the pages of a tiff stay pages', async () => {
  const picture = await open(await converted(await fixture('pages.tiff'), { to_format: 'tiff' }));
  expect(picture).toMatchObject({ frameCount: 3, width: 67, height: 45 });
});

test('one frame is one frame', async () => {
  const blob = await converted(await fixture('fading.png'), { to_format: 'gif' });
  expect(await framesOf(blob)).toHaveLength(1);
});
