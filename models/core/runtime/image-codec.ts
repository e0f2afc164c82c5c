import type { ReportProgress } from './progress.ts';
import type { Frame, Geometry, Raster, Rgb } from './raster.ts';
import type { RunWarning } from './run-warnings.ts';

/** Print resolution, in pixels per inch. */
export interface PrintResolution {
  readonly x: number;
  readonly y: number;
}

/** Text of an image file with its keyword, such as `parameters` or `Comment`. */
export interface ImageText {
  readonly keyword: string;
  readonly text: string;
  /** Language tag and translation of the keyword, where the file has them. */
  readonly language?: string;
  readonly translated?: string;
}

/** Raw metadata blocks as stored in the file: EXIF as a TIFF stream (no `Exif\0\0`), XMP as UTF-8 XML. */
export interface ImageMetadata {
  readonly icc?: Uint8Array<ArrayBuffer>;
  readonly exif?: Uint8Array<ArrayBuffer>;
  readonly xmp?: Uint8Array<ArrayBuffer>;
  /** Datasets of IPTC-IIM 4.2, for formats that have a place for them (jpeg, tiff). */
  readonly iptc?: Uint8Array<ArrayBuffer>;
  /** For formats with fields of their own for it (jpeg, png, tiff, bmp); others have it in EXIF. */
  readonly resolution?: PrintResolution;
  /** For PNG, and those with the keyword `Comment` for JPEG and GIF. */
  readonly texts?: readonly ImageText[];
}

/** Decoded image. Upright: EXIF orientation and container rotation are already applied. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Number of frames that `frames()` yields and `encode` writes. */
  readonly frameCount: number;
  /** Number of times an animation plays; 0 is endless. */
  readonly loopCount: number;
  readonly hasAlpha: boolean;
  readonly bitDepth: 8 | 16;
  /** EXIF with Orientation reset to 1. `icc` only when the samples really use that profile. */
  readonly metadata: ImageMetadata;
  /** Sentences for the user about parts of the file that this image lacks. */
  readonly warnings?: readonly RunWarning[];
  /** Yields the frames in order. A codec that can encode its own image without rasters may never call it. */
  frames(options?: FrameOptions): AsyncIterable<Frame>;
  /**
   * Yields the only frame in strips from the top, each as wide as the image, for an image that need not be in memory
   * whole. Read once: either by strips or by frames. Absent where the frame exists as one raster.
   */
  strips?(): AsyncIterable<Raster>;
}

export interface FrameOptions {
  /**
   * Longest side that the caller needs, in pixels. A codec that can shrink while it reads, which saves memory, yields
   * frames of that size; others yield them whole.
   */
  readonly sideMax?: number;
}

export interface DecodeOptions {
  /** `first` reads frame 0 only. */
  readonly frames: 'first' | 'all';
  /** `srgb` converts the samples; `own` keeps RGB samples in the file's own profile (other models become sRGB). */
  readonly colour: 'srgb' | 'own';
  readonly signal: AbortSignal;
}

/** Settings of an image encoder besides its quality. Absent ones are the encoder's own. */
export interface EncoderTuning {
  /** Whether every pixel stays as it is; quality does not matter then. */
  readonly isLossless?: boolean;
  /** Resolution of the colours: as high as that of the lightness, or half of it in both directions. */
  readonly chroma?: '4:4:4' | '4:2:0';
  /** Time spent for a smaller file, from 0, the fastest, to 1. */
  readonly effort?: number;
  /** Colours of the palette: 2, 4, 16 or 256; for formats that need none, a palette makes the file smaller. */
  readonly colours?: number;
  /** Whether a coarse image shows while the rest still loads. */
  readonly isProgressive?: boolean;
}

export interface EncodeOptions {
  /** Id of a format. */
  readonly format: string;
  /** 1 to 100, for formats with loss: the same visible quality in all of them. */
  readonly quality: number;
  /** Colour behind transparent pixels where the format has no alpha (jpeg, bmp). */
  readonly background: Rgb;
  /** Written where the format can hold metadata. */
  readonly metadata: ImageMetadata;
  /** Settings of the format's encoder besides quality. Only a codec that runs for one person at a time has them. */
  readonly tuning?: EncoderTuning | undefined;
  readonly signal: AbortSignal;
  readonly onProgress?: ReportProgress;
}

export interface ImageCodec {
  /**
   * Decodes an image.
   * @throws OperationError `unprocessable` when the bytes cannot be decoded or need more memory than allowed
   */
  decode(input: Blob, options: DecodeOptions): Promise<Picture>;
  /** Changes the geometry of an image and consumes it. Its samples may be read only once the result is. */
  transform(picture: Picture, geometry: Geometry): Picture;
  /** Holds the samples of an image in memory, and consumes it. The result may be read, changed and encoded repeatedly. */
  hold(picture: Picture): Promise<Picture>;
  /**
   * Encodes an image and consumes it: its frames may hold other samples afterwards.
   * @throws OperationError `unprocessable` when the image does not fit the format, or its samples turn out corrupt
   */
  encode(picture: Picture, options: EncodeOptions): Promise<Blob>;
}
