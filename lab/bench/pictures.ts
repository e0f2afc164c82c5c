import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import sharp from 'sharp';
import { SHARED } from '../support/shared-folder.ts';

const PHONE_PHOTO = 'data/convert/exif_samples/heic_mobile_iphone_13_pro_max.HEIC';

/** Makes a JPEG with the detail of a photograph: smooth shapes under fine noise, the same bytes each time. */
export async function photoJpeg(width: number, height: number): Promise<Uint8Array> {
  const data = Buffer.alloc(width * height * 3);
  let state = 1;
  for (let i = 0; i < data.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const [x, y] = [((i / 3) | 0) % width, (i / 3 / width) | 0];
    data[i] = 128 + 80 * Math.sin(x / 37 + (i % 3)) * Math.cos(y / 53) + (state >>> 28);
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer();
}

/** Cuts an ellipse with a soft edge out of a photo, as PNG. */
export async function cutoutPng(photo: Uint8Array): Promise<Uint8Array> {
  const { width, height } = await sharp(photo).metadata();
  const [x, y] = [width / 2, height / 2];
  const ellipse = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><ellipse cx="${x}" cy="${y}" rx="${x * 0.8}" ry="${y * 0.8}"/></svg>`;
  const mask = await sharp(Buffer.from(ellipse)).blur(4).toBuffer();
  return sharp(photo)
    .ensureAlpha()
    .composite([{ input: mask, blend: 'dest-in' }])
    .png()
    .toBuffer();
}

/** Reads the real phone photo of the test data (12 megapixels, tiles, Display P3). */
export async function phonePhotoHeic(): Promise<Uint8Array> {
  const path = resolve(SHARED, PHONE_PHOTO);
  return readFile(path).catch((cause) => {
    throw new Error(
      `${PHONE_PHOTO} is not below ${SHARED}: set DARKROOM_SHARED to the folder of the test data`,
      { cause },
    );
  });
}

export interface BarePicture {
  readonly data: Uint8ClampedArray<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
}

interface HeifPicture {
  get_width(): number;
  get_height(): number;
  display(target: BarePicture, done: (shown: BarePicture | null) => void): void;
}
interface Libheif {
  HeifDecoder: new () => { decode(bytes: Uint8Array): HeifPicture[] };
}
const libheif: Libheif = createRequire(import.meta.url)('libheif-js/wasm-bundle');

/** Decodes with bare libheif: the minimum cost for any program. */
export async function decodeHeicBare(bytes: Uint8Array): Promise<BarePicture> {
  const [image] = new libheif.HeifDecoder().decode(bytes);
  if (!image) throw new Error('libheif found no picture');
  const [width, height] = [image.get_width(), image.get_height()];
  const data = new Uint8ClampedArray(width * height * 4);
  return new Promise((done, fail) => {
    image.display({ data, width, height }, (shown) =>
      shown ? done({ data, width, height }) : fail(new Error('libheif')),
    );
  });
}
