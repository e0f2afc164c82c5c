import sharp from 'sharp';
import { expect, test } from 'vitest';
import { probeUprightImage } from '../../../../models/media/image/upright-image.ts';
import { imageFixture } from '../../../support/media/images.ts';

const FORMATS = ['jpeg', 'png', 'webp', 'tiff', 'avif'] as const;

async function stored(format: (typeof FORMATS)[number], orientation: number): Promise<Blob> {
  const picture = sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal' } });
  const bytes = await picture.withMetadata({ orientation }).toFormat(format).toBuffer();
  return new Blob([new Uint8Array(bytes)]);
}

test.each(FORMATS)('%s: only orientations with a quarter turn swap width and height', async (format) => {
  for (let orientation = 1; orientation <= 8; orientation++) {
    const { width, height } = await probeUprightImage(await stored(format, orientation));
    expect([orientation, width, height]).toEqual([orientation, ...(orientation < 5 ? [60, 40] : [40, 60])]);
  }
});

test('an image without orientation has its stored width and height', async () => {
  for (const name of ['animated.gif', 'animated.webp', 'deep.png', 'pages.tiff', 'fading.avif']) {
    expect(await probeUprightImage(await imageFixture(name))).toMatchObject({ width: 67, height: 45 });
  }
});

test('a file that is not an image is rejected', async () => {
  await expect(probeUprightImage(new Blob(['no image']))).rejects.toMatchObject({ code: 'bad_request' });
});
