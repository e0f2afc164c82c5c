import sharp, { type Sharp } from 'sharp';
import type { EncodeOptions, ImageFormat, Picture } from '../../../models/image-codec.ts';
import { decodingError } from './sharp-errors.ts';
import { SharpPicture } from './sharp-picture.ts';

export type SharpFormat = Exclude<ImageFormat, 'bmp' | 'heic'>;

/** The formats that keep 16 bits a sample. */
const DEEP_FORMATS: ReadonlySet<ImageFormat> = new Set(['png', 'tiff']);

/** Encodes with sharp. @throws OperationError `unprocessable` */
export async function encodeWithSharp(
  picture: Picture,
  format: SharpFormat,
  options: EncodeOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const [r, g, b] = options.background;
  const isDeep = picture.bitDepth === 16 && DEEP_FORMATS.has(format);
  const opened = picture instanceof SharpPicture ? picture.pipeline() : await openRasters(picture);
  const pipeline = opened.toColourspace(isDeep ? 'rgb16' : 'srgb');
  const shaped =
    format === 'jpeg' && picture.hasAlpha ? pipeline.flatten({ background: { r, g, b } }) : pipeline;
  const bytes = await withFormat(shaped, format, options).toBuffer().catch(decodingError);
  return new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
}

function withFormat(pipeline: Sharp, format: SharpFormat, { quality }: EncodeOptions): Sharp {
  switch (format) {
    case 'jpeg':
      return pipeline.jpeg({ quality });
    case 'png':
      return pipeline.png();
    case 'webp':
      return pipeline.webp({ quality });
    case 'gif':
      return pipeline.gif();
    case 'tiff':
      return pipeline.tiff({ compression: 'deflate', predictor: 'horizontal' });
    case 'avif':
      return pipeline.avif({ quality, effort: 2 });
  }
}

/** A picture of another origin: its frames one below the other, as sharp wants them. */
async function openRasters(picture: Picture): Promise<Sharp> {
  const { width, height, frameCount } = picture;
  const frameSamples = width * height * 4;
  const isDeep = picture.bitDepth === 16;
  const data = new (isDeep ? Uint16Array : Uint8Array)(frameSamples * frameCount);
  const delay: number[] = [];
  for await (const frame of picture.frames()) {
    data.set(frame.data, delay.length * frameSamples);
    delay.push(frame.durationMs);
  }
  return sharp(data, { raw: { width, height: height * frameCount, channels: 4, pageHeight: height } });
}
