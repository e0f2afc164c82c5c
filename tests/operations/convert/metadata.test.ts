import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { drawPattern } from '../../../lab/fixtures/pattern.ts';
import type { ImageMetadata } from '../../../models/core/runtime/image-codec.ts';
import { messagesOf } from '../../../models/core/runtime/run-warnings.ts';
import { openTiffStream, readDirectory } from '../../../models/media/image/tiff/directory.ts';
import { exifOfTiff } from '../../../models/media/image/tiff/write-metadata.ts';
import {
  convert,
  convertToBlob,
  decodeFirstFrame,
  decodeImage,
  imageFixture,
  psnr,
} from '../../support/media/images.ts';

const HOLDERS = ['jpg', 'png', 'webp', 'tiff', 'avif', 'heic'];
const ORIENTATION = 274;
const MAKE = 271;
const GPS = 34853;
const LATITUDE = 2;

/** Reads metadata with another reader: sharp, and our own for the EXIF of TIFF, which sharp omits. */
async function metadataOf(blob: Blob): Promise<ImageMetadata & { orientation?: number | undefined }> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const { icc, exif, xmp, orientation, format } = await sharp(bytes).metadata();
  const block = format === 'tiff' ? exifOfTiff(bytes) : exif && new Uint8Array(exif);
  return {
    orientation,
    ...(icc ? { icc: new Uint8Array(icc) } : {}),
    ...(block ? { exif: block } : {}),
    ...(xmp ? { xmp: new Uint8Array(xmp) } : {}),
  };
}

function fieldsOf(exif: Uint8Array<ArrayBuffer> | undefined) {
  const stream = exif && openTiffStream(exif[0] === 0x45 ? exif.slice(6) : exif);
  return stream ? readDirectory(stream, stream.firstOffset) : [];
}

describe.each(HOLDERS)('%s with keep_metadata', (to_format) => {
  test('keeps EXIF with its location, XMP and the profile, and is upright', async () => {
    const source = await imageFixture('camera.jpg');
    const blob = await convertToBlob(source, { to_format, keep_metadata: true });
    const { icc, exif, xmp, orientation } = await metadataOf(blob);
    const fields = fieldsOf(exif);
    expect(new TextDecoder().decode(fields.find(({ tag }) => tag === MAKE)?.value)).toBe('Darkroom\0');
    const gps = fields.find(({ tag }) => tag === GPS)?.directory ?? [];
    const latitude = new Uint32Array(
      gps.find(({ tag }) => tag === LATITUDE)?.value.slice().buffer ?? new ArrayBuffer(0),
    );
    expect([...latitude]).toEqual([48, 1, 51, 1, 30, 1]);
    expect(fields.find(({ tag }) => tag === ORIENTATION)?.value[0] ?? 1).toBe(1);
    expect(orientation ?? 1).toBe(1);
    expect(icc).toEqual((await metadataOf(source)).icc);
    expect(new TextDecoder().decode(xmp)).toContain('adobe:ns:meta');
  });

  test('keeps the samples in their own profile, so that the image looks the same', async () => {
    const blob = await convertToBlob(await imageFixture('camera.jpg'), { to_format, keep_metadata: true });
    expect(psnr(drawPattern(), await decodeFirstFrame(blob))).toBeGreaterThan(31);
    const own = await (await decodeImage(blob, 'own')).frames()[Symbol.asyncIterator]().next();
    expect(psnr(drawPattern(), own.value)).toBeLessThan(31);
  });
});

test.each([...HOLDERS, 'gif', 'bmp'])(
  '%s without keep_metadata has no metadata and is in sRGB',
  async (to_format) => {
    const blob = await convertToBlob(await imageFixture('camera.jpg'), { to_format });
    if (to_format !== 'bmp') {
      const { exif, icc, xmp } = await metadataOf(blob);
      expect({ exif, icc, xmp }).toEqual({ exif: undefined, icc: undefined, xmp: undefined });
    }
    expect(psnr(drawPattern(), await decodeFirstFrame(blob))).toBeGreaterThan(to_format === 'gif' ? 24 : 32);
  },
);

test.each(['gif', 'bmp'])('%s cannot hold metadata, and the result has a warning', async (to_format) => {
  const { warnings } = await convert(await imageFixture('camera.jpg'), { to_format, keep_metadata: true });
  expect(messagesOf(warnings)).toEqual([expect.stringMatching(new RegExp(`keep_metadata: ${to_format}`))]);
});

test.each(['heic', 'avif', 'tiff', 'webp', 'png'])(
  'metadata survives a conversion to %s and back',
  async (over) => {
    const there = await convertToBlob(await imageFixture('camera.jpg'), {
      to_format: over,
      keep_metadata: true,
    });
    const back = await convertToBlob(there, { to_format: 'jpg', keep_metadata: true });
    const { exif, icc } = await metadataOf(back);
    expect(fieldsOf(exif).some(({ tag, directory }) => tag === GPS && directory?.length)).toBe(true);
    expect(icc?.length).toBeGreaterThan(100);
  },
);

test('a CMYK profile is dropped with the CMYK samples, and the result is sRGB', async () => {
  const blob = await convertToBlob(await imageFixture('cmyk.jpg'), { to_format: 'jpg', keep_metadata: true });
  expect((await metadataOf(blob)).icc).toBeUndefined();
});
