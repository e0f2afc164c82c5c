import type { Frame } from './raster.ts';

export const IMAGE_FORMATS = ['jpeg', 'png', 'webp', 'gif', 'bmp', 'tiff', 'avif', 'heic'] as const;
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

/** Raw metadata blocks as they stand in the file: EXIF as a TIFF stream (no `Exif\0\0`), XMP as UTF-8 XML. */
export interface ImageMetadata {
  readonly icc?: Uint8Array<ArrayBuffer>;
  readonly exif?: Uint8Array<ArrayBuffer>;
  readonly xmp?: Uint8Array<ArrayBuffer>;
}

/** A decoded picture. Upright: EXIF orientation and container rotation are already applied. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly frameCount: number;
  /** Times an animation plays; 0 is for ever. */
  readonly loopCount: number;
  readonly hasAlpha: boolean;
  readonly bitDepth: 8 | 16;
  /** EXIF with Orientation reset to 1. `icc` only when the samples really are in that profile. */
  readonly metadata: ImageMetadata;
  /** Frame by frame; may be called once. */
  frames(): AsyncIterable<Frame>;
}

export interface DecodeOptions {
  /** `first` reads frame 0 only. */
  readonly frames: 'first' | 'all';
  /** `srgb` converts the samples; `own` leaves RGB samples in the file's own profile (other models become sRGB). */
  readonly colour: 'srgb' | 'own';
  readonly signal: AbortSignal;
}

export interface EncodeOptions {
  readonly format: ImageFormat;
  /** 1 to 100, for jpeg, webp, avif and heic. */
  readonly quality: number;
  /** Written where the format can hold it. */
  readonly metadata: ImageMetadata;
  readonly signal: AbortSignal;
  readonly onProgress?: (fraction: number) => void;
}

export interface ImageCodec {
  /** @throws OperationError `unprocessable` when the bytes cannot be decoded or need more memory than allowed */
  decode(input: Blob, options: DecodeOptions): Promise<Picture>;
  encode(picture: Picture, options: EncodeOptions): Promise<Blob>;
}
