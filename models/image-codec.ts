import type { Frame } from './raster.ts';

export const IMAGE_FORMATS = ['jpeg', 'png', 'webp', 'gif', 'bmp', 'tiff', 'avif', 'heic'] as const;
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

/** Raw metadata blocks as they stand in the file: EXIF as a TIFF stream (no `Exif\0\0`), XMP as UTF-8 XML. */
export interface ImageMetadata {
  readonly icc?: Uint8Array<ArrayBuffer>;
  readonly exif?: Uint8Array<ArrayBuffer>;
  readonly xmp?: Uint8Array<ArrayBuffer>;
}

/** Red, green and blue, 0 to 255, in sRGB. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** A decoded picture. Upright: EXIF orientation and container rotation are already applied. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Frames that `frames()` gives and `encode` writes. */
  readonly frameCount: number;
  /** Times an animation plays; 0 is for ever. */
  readonly loopCount: number;
  readonly hasAlpha: boolean;
  readonly bitDepth: 8 | 16;
  /** Bits of a sample in the file, where the decoder gives fewer of them than a target could hold. */
  readonly fileBitDepth?: number;
  /** EXIF with Orientation reset to 1. `icc` only when the samples really are in that profile. */
  readonly metadata: ImageMetadata;
  /** Sentences for the user about what of the file is not in this picture. */
  readonly warnings?: readonly string[];
  /** Frame by frame. A codec that can encode its own picture without rasters may never call it. */
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
  /** Stands behind transparent pixels where the format has no alpha (jpeg, bmp). */
  readonly background: Rgb;
  /** Written where the format can hold it. */
  readonly metadata: ImageMetadata;
  readonly signal: AbortSignal;
  readonly onProgress?: (fraction: number) => void;
}

export interface ImageCodec {
  /** @throws OperationError `unprocessable` when the bytes cannot be decoded or need more memory than allowed */
  decode(input: Blob, options: DecodeOptions): Promise<Picture>;
  /**
   * Uses the picture up: its frames may hold other samples afterwards.
   * @throws OperationError `unprocessable` when the picture does not fit the format, or its samples turn out corrupt
   */
  encode(picture: Picture, options: EncodeOptions): Promise<Blob>;
}
