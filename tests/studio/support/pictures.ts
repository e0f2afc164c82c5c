import sharp from 'sharp';
import type { TestFile } from './visit.ts';

const WIDTH = 96;
const HEIGHT = 64;

/** Small photo-like image of gradients, which lossy formats hold well. */
export async function createTestPicture(name = 'holiday.jpg', tint = 0): Promise<TestFile> {
  const data = Buffer.alloc(WIDTH * HEIGHT * 3);
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const at = (y * WIDTH + x) * 3;
      data[at] = (255 * x) / WIDTH;
      data[at + 1] = (255 * y) / HEIGHT;
      data[at + 2] = 64 + (tint % 128);
    }
  }
  const picture = sharp(data, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } });
  return { name, mimeType: 'image/jpeg', buffer: await picture.jpeg({ quality: 95 }).toBuffer() };
}

export function createBrokenPicture(name: string): TestFile {
  return { name, mimeType: 'image/jpeg', buffer: Buffer.from('this is no picture at all') };
}

/** Plain image of 31 megapixels. */
export async function createLargePicture(name: string): Promise<TestFile> {
  const create = { width: 6000, height: 5200, channels: 3, background: '#807060' } as const;
  return { name, mimeType: 'image/jpeg', buffer: await sharp({ create }).jpeg().toBuffer() };
}

/** Image whose header says that it has 400 megapixels, which no tool takes. */
export async function createHugePicture(name: string): Promise<TestFile> {
  const { buffer } = await createTestPicture(name);
  // Frame header of baseline JPEG: marker, length, precision, height and width.
  const at = buffer.indexOf(Buffer.from([0xff, 0xc0]));
  buffer.writeUInt16BE(20_000, at + 5);
  buffer.writeUInt16BE(20_000, at + 7);
  return { name, mimeType: 'image/jpeg', buffer };
}
