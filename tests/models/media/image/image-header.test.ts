import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { probeImage } from '../../../../models/media/image/image-header.ts';
import { probeUprightImage } from '../../../../models/media/image/upright-image.ts';
import { short } from '../../../support/media/exif-block.ts';
import { imageFixture } from '../../../support/media/images.ts';
import { toBigTiff } from '../../../support/media/tiff/big-tiff.ts';
import { createTiff } from '../../../support/media/tiff/tiff-pages.ts';

const LIMIT = { pixelsMax: 100_000_000 };
const FIXTURES = readdirSync(resolve(import.meta.dirname, '../../../fixtures/images'));
const png = (width: number, height: number): Blob => {
  const head = Buffer.from('89504e470d0a1a0a0000000d49484452000000000000000008060000', 'hex');
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return new Blob([head]);
};

/** Counts the bytes read. */
function counted(blob: Blob): { blob: Blob; bytesRead: () => number } {
  let bytesRead = 0;
  const slice = (start?: number, end?: number): Blob => {
    const part = blob.slice(start, end);
    bytesRead += part.size;
    return part;
  };
  return { blob: Object.assign(Object.create(null), { size: blob.size, slice }), bytesRead: () => bytesRead };
}

test.each([
  ['camera.jpg', { format: 'jpeg', width: 45, height: 67 }],
  ['fading.png', { format: 'png', width: 67, height: 45 }],
  ['lossless.webp', { format: 'webp', width: 67, height: 45 }],
  ['animated.webp', { format: 'webp', width: 67, height: 45 }],
  ['animated.gif', { format: 'gif', width: 67, height: 45 }],
  ['pages.tiff', { format: 'tiff', width: 67, height: 45 }],
  ['fading.avif', { format: 'avif', width: 67, height: 45 }],
  // Coded as 68 x 64; a clean aperture sets the visible size.
  ['fading.heic', { format: 'heic', width: 67, height: 45 }],
])('the header of %s gives format and size', async (name, facts) => {
  const { format } = facts;
  expect(await probeImage(await imageFixture(name), LIMIT)).toEqual({
    mediaType: `image/${format}`,
    ...facts,
  });
});

test('a file that is empty, not an image, without pixels or too large is rejected with the reason', async () => {
  const refused = (blob: Blob) => expect(probeImage(blob, LIMIT)).rejects;
  await refused(new Blob([])).toMatchObject({
    code: 'bad_request',
    message: expect.stringMatching(/is empty/),
  });
  await refused(new Blob(['<html>not an image</html>'])).toThrow(/an unknown format/);
  await refused(png(0, 5)).toThrow(/no pixels/);
  await refused(png(0, 5)).toMatchObject({ kind: 'damaged' });
  await refused(png(65_536, 65_536)).toThrow(/at most 100 megapixels/i);
  await expect(probeImage(png(10_000, 10_000), LIMIT)).resolves.toMatchObject({ format: 'png' });
});

test('reading an endless chain of segments stops within 600 kB', async () => {
  const segments = new Uint8Array(5_000_000);
  for (let at = 2; at < segments.length - 4; at += 4002) segments.set([0xff, 0xe1, 0x0f, 0xa0], at);
  segments.set([0xff, 0xd8], 0);
  const { blob, bytesRead } = counted(new Blob([segments]));
  await expect(probeImage(blob, LIMIT)).rejects.toMatchObject({ code: 'bad_request' });
  expect(bytesRead()).toBeLessThan(600_000);
});

test.each(FIXTURES)('%s with changed bytes is either read or rejected with bad_request', async (name) => {
  const whole = new Uint8Array(await (await imageFixture(name)).arrayBuffer());
  const change = fc.record({ at: fc.nat(Math.min(400, whole.length - 1)), byte: fc.nat(255) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { minLength: 1, maxLength: 8 }),
      fc.nat(whole.length),
      async (changes, length) => {
        const bytes = whole.slice(0, Math.max(12, length));
        for (const { at, byte } of changes) bytes[at] = byte;
        const outcome = await probeImage(new Blob([bytes]), LIMIT).then(
          ({ width, height }) => (width * height > 0 ? 'read' : 'empty'),
          (error) => error.code,
        );
        expect(['read', 'bad_request']).toContain(outcome);
      },
    ),
    { numRuns: 40 },
  );
});

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

describe('a TIFF is turned as decoders do', () => {
  test.each([true, false])('where it is a BigTIFF, little-endian: %s', async (isLittle) => {
    const classic = new Uint8Array(await (await stored('tiff', 6)).arrayBuffer());
    const big = new Blob([toBigTiff(classic, isLittle, 1)]);
    expect(await probeUprightImage(big)).toMatchObject({ width: 40, height: 60 });
  });

  test('where its first page is a reduced copy', async () => {
    const page = { width: 9, height: 4, colour: [1, 2, 3] } as const;
    const turned = { ...page, type: 0, fields: [short(274, 6)] };
    const file = new Blob([createTiff([{ ...page, type: 1 }, turned])]);
    expect(await probeUprightImage(file)).toMatchObject({ width: 4, height: 9 });
  });
});

test('an image without orientation has its stored width and height', async () => {
  for (const name of ['animated.gif', 'animated.webp', 'deep.png', 'pages.tiff', 'fading.avif']) {
    expect(await probeUprightImage(await imageFixture(name))).toMatchObject({ width: 67, height: 45 });
  }
});

test('a file that is not an image is rejected', async () => {
  await expect(probeUprightImage(new Blob(['no image']))).rejects.toMatchObject({ code: 'bad_request' });
});
