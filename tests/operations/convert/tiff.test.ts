import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { concat, u8 } from '../../../models/media/bytes/byte-writer.ts';
import { convert, convertToBlob, decodeFirstFrame, decodeImage } from '../../support/media/images.ts';
import { SIDE, testColour, tiffOfKind } from '../../support/media/tiff/tiff-kinds.ts';

const RGB = 2;
const GREY = 1;
const UNKNOWN = 0;
const PREMULTIPLIED = 1;
const STRAIGHT = 2;
/** Opacity of the test image: the left half is half transparent. */
const opacity = (x: number) => (x < SIDE / 2 ? 128 : 255);
const bytes = (x: number, y: number) => testColour(x, y).map((part) => Math.round(part * 255));

async function samplesAt(file: Blob, x: number, y: number): Promise<number[]> {
  const { data } = await decodeFirstFrame(await convertToBlob(file, { to_format: 'png' }));
  return [...data.subarray((y * SIDE + x) * 4, (y * SIDE + x) * 4 + 4)];
}

describe.each([false, true])('samples beyond the colours of a TIFF, in separate planes: %s', (isPlanar) => {
  test.each([
    ['alpha, then a mask', [STRAIGHT, UNKNOWN], (x: number) => [opacity(x), 7], true],
    ['a mask, then alpha', [UNKNOWN, STRAIGHT], (x: number) => [7, opacity(x)], true],
    ['a mask', [UNKNOWN], () => [7], false],
    ['three masks', [UNKNOWN, UNKNOWN, UNKNOWN], () => [7, 8, 9], false],
    ['alpha of which nothing is said', undefined, (x: number) => [opacity(x)], true],
  ] as const)('%s', async (_, extraSamples, getExtra, hasAlpha) => {
    const kind = { bits: 8, photometric: RGB, isPlanar, ...(extraSamples && { extraSamples }) };
    const file = tiffOfKind(kind, (x, y) => [...bytes(x, y), ...getExtra(x)]);
    expect(await decodeImage(file)).toMatchObject({ hasAlpha, bitDepth: 8 });
    for (const [x, y] of [
      [1, 2],
      [10, 5],
    ] as const)
      expect(await samplesAt(file, x, y)).toEqual([...bytes(x, y), hasAlpha ? opacity(x) : 255]);
  });

  test('premultiplied alpha next to a mask is divided out', async () => {
    const kind = { bits: 8, photometric: RGB, isPlanar, extraSamples: [UNKNOWN, PREMULTIPLIED] };
    const file = tiffOfKind(kind, (x, y) => [
      ...bytes(x, y).map((level) => Math.round((level * opacity(x)) / 255)),
      7,
      opacity(x),
    ]);
    const found = await samplesAt(file, 1, 6);
    bytes(1, 6).forEach((level, channel) => {
      expect(Math.abs((found[channel] ?? 0) - level)).toBeLessThanOrEqual(1);
    });
    expect(found[3]).toBe(128);
  });

  test('16 bits and grey count alike', async () => {
    const kind = { bits: 16, photometric: GREY, isPlanar, extraSamples: [UNKNOWN, STRAIGHT] };
    const file = tiffOfKind(kind, (x) => [x * 1000, 7, opacity(x) * 257]);
    const { data } = await decodeFirstFrame(file);
    expect(data.subarray(4, 8)).toEqual(new Uint16Array([1000, 1000, 1000, 128 * 257]));
  });
});

/** Packs a strip as one raw block of Zstandard (RFC 8878, 3.1.1), with its length or without. */
function packZstd(strip: Uint8Array, hasLength: boolean): Uint8Array {
  const magic = u8(0x28, 0xb5, 0x2f, 0xfd);
  const little = (value: number, count: number) =>
    u8(...Array.from({ length: count }, (_, place) => (value >> (8 * place)) & 0xff));
  const head = hasLength ? [u8(0xa0), little(strip.length, 4)] : [u8(0, 0x58)];
  return concat([magic, ...head, little((strip.length << 3) | 1, 3), strip]);
}

describe('compressions of TIFF', () => {
  test.each([true, false])('ZSTD is read, with the length of strips stated: %s', async (hasLength) => {
    const compression = { code: 50_000, pack: (strip: Uint8Array) => packZstd(strip, hasLength) };
    const file = tiffOfKind({ bits: 8, photometric: RGB, compression }, bytes);
    expect(await samplesAt(file, 3, 4)).toEqual([...bytes(3, 4), 255]);
  });

  test.each([
    ['that lacks rows', (strip: Uint8Array) => packZstd(strip.subarray(0, -20), false)],
    ['that is no ZSTD', () => new Uint8Array(60)],
    ['of more bytes than a strip', (strip: Uint8Array) => packZstd(concat([strip, strip]), true)],
  ])('ZSTD %s is damage', async (_, pack) => {
    const file = tiffOfKind({ bits: 8, photometric: RGB, compression: { code: 50_000, pack } }, bytes);
    await expect(convert(file, { to_format: 'png' })).rejects.toMatchObject({
      code: 'unprocessable',
      kind: 'damaged',
    });
  });

  test.each([
    [34_925, 'LZMA'],
    [50_001, 'WebP'],
    [34_887, 'LERC'],
    [50_002, 'JPEG XL'],
    [12_345, '12345'],
  ])('%i is refused by its name', async (code, name) => {
    const compression = { code, pack: (strip: Uint8Array) => strip };
    const file = tiffOfKind({ bits: 8, photometric: RGB, compression }, bytes);
    await expect(convert(file, { to_format: 'png' })).rejects.toMatchObject({
      code: 'unprocessable',
      message: expect.stringContaining(name),
    });
  });

  test.each(['deflate', 'lzw'] as const)(
    'a damaged tile of %s is an error, not black',
    async (compression) => {
      const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
      const image = sharp({ create: { width: 128, height: 128, channels: 3, background: 'teal', noise } });
      const tile = { tile: true, tileWidth: 64, tileHeight: 64, compression } as const;
      const file = new Uint8Array(await image.tiff(tile).toBuffer());
      await expect(convert(new Blob([file.slice()]), { to_format: 'png' })).resolves.toBeDefined();
      file.fill(0xa5, file.length / 3, file.length / 3 + 300);
      await expect(convert(new Blob([file]), { to_format: 'png' })).rejects.toMatchObject({
        code: 'unprocessable',
      });
    },
  );
});
