import { expect, test } from 'vitest';
import { probeImage } from '../../../models/kernels/image-header.ts';

const LIMIT = { pixelsMax: 100_000_000 };
const png = (width: number, height: number): Blob => {
  const head = Buffer.from('89504e470d0a1a0a0000000d49484452000000000000000008060000', 'hex');
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return new Blob([head]);
};

test('the size of a PNG is read from its first bytes', async () => {
  expect(await probeImage(png(4032, 3024), LIMIT)).toEqual({ format: 'png', width: 4032, height: 3024 });
});

test('what is not an image, empty, without pixels, or too large is refused by name', async () => {
  const refused = (blob: Blob) => expect(probeImage(blob, LIMIT)).rejects;
  await refused(new Blob([])).toMatchObject({ code: 'bad_request' });
  await refused(new Blob(['<html>not an image</html>'])).toThrow(/no known format/);
  await refused(png(0, 5)).toThrow(/no pixels/);
  await refused(png(65_536, 65_536)).toThrow(/at most 100 megapixels/i);
});

test('a chain of segments without an end is given up', async () => {
  const segments = new Uint8Array(5_000_000);
  for (let at = 2; at < segments.length - 4; at += 4002) segments.set([0xff, 0xe1, 0x0f, 0xa0], at);
  segments.set([0xff, 0xd8], 0);
  await expect(probeImage(new Blob([segments]), LIMIT)).rejects.toMatchObject({ code: 'bad_request' });
});
