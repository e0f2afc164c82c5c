import type { Geometry, ImageSize, Rgb } from '../../../core/runtime/raster.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';

/**
 * The engine for images on both sides: libvips, as sharp on the server and as wasm-vips in a browser's worker. A plan
 * says all that it does with an image, so that the same file gives the same result on either side.
 */
export interface Libvips {
  /**
   * Reads the header of a file.
   * @param pages `all` fails where its pages differ in size or kind
   */
  readHead(file: Bytes, pages?: 'first' | 'all'): Promise<LibvipsHead>;
  /** Carries a plan out. Returns the file, or the samples row by row without padding. */
  render(plan: LibvipsPlan): Promise<Bytes>;
}

/** Header of a file, as stored. */
export interface LibvipsHead extends ImageSize {
  /** Height of a frame where several are stacked. */
  readonly pageHeight?: number | undefined;
  readonly pages: number;
  /** Number of plays, 0 for endless. */
  readonly loopCount: number;
  readonly delaysMs: readonly number[];
  readonly hasAlpha: boolean;
  /** Format of a band by libvips' names: `uchar`, `ushort`, `float`. */
  readonly depth: string;
  /** Whether the image turns by a quarter to be upright. */
  readonly isOnSide: boolean;
}

/** File to decode: it is turned upright, and converted from its profile to sRGB. */
export interface FileSource {
  readonly kind: 'file';
  /** Its bytes, or the path of a file that this side has written. */
  readonly file: Bytes | string;
  /** Frames, stacked from the top. Absent where the format has one. */
  readonly pages?: number;
  /** First of them; when absent 0, or the primary image of a HEIF file. */
  readonly page?: number;
  /** Whether the samples stay in its profile. */
  readonly keepsProfile: boolean;
  /** Pixels of all frames at most; absent where nothing limits them. */
  readonly pixelsMax?: number;
  /** Kind of fault that ends reading. */
  readonly failOn: 'none' | 'warning' | 'error';
}

/** Samples in memory: RGBA, in sRGB. */
export interface SampleSource extends ImageSize {
  readonly kind: 'samples';
  readonly data: Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer>;
  /** Height of each of the frames that are stacked. */
  readonly pageHeight: number;
}

/** Work on one image, in the order of its members. */
export interface LibvipsPlan {
  readonly source: FileSource | SampleSource;
  /** Colour that replaces alpha. */
  readonly background?: Rgb | undefined;
  /** Size to shrink to, over all samples with a linear filter. */
  readonly size?: ImageSize | undefined;
  /** In place of `size`: change of the only frame, whose background is opaque or none, by Lanczos' filter. */
  readonly geometry?: Geometry | undefined;
  readonly alpha: 'kept' | 'dropped' | 'added';
  /** Bits per sample of what is written. */
  readonly depth: 8 | 16;
  /** Whether the source is deep and has a profile: libvips converts such a one to Display P3 first. */
  readonly isDeepProfiled?: boolean;
  readonly write: LibvipsWriting;
}

/** Animation that the source does not know of. */
interface Timing {
  readonly loop?: number;
  readonly delay?: readonly number[];
}

interface JpegWriting {
  readonly format: 'jpeg';
  /** 1 to 100. */
  readonly quality: number;
  readonly chromaSubsampling: '4:4:4' | '4:2:0';
  readonly optimiseCoding: boolean;
  readonly progressive?: boolean;
  readonly optimiseScans?: boolean;
  readonly overshootDeringing?: boolean;
}

interface PngWriting {
  readonly format: 'png';
  /** 0 to 9, slowest last. */
  readonly compression: number;
  /** Effort of the search for a palette: 1 to 10, slowest last. */
  readonly paletteEffort: number;
  /** Whether each row is stored as differences from its neighbours: much smaller for photographs, larger for drawings. */
  readonly isFiltered: boolean;
  /** Bits of the indices into a palette; samples of all colours when absent. */
  readonly paletteBits?: 1 | 2 | 4 | 8;
}

export interface WebpWriting extends Timing {
  readonly format: 'webp';
  /** 1 to 100; of the preprocessing where it is nearly lossless. */
  readonly quality: number;
  /** 0 to 6, slowest last. */
  readonly effort: number;
  readonly smartSubsample?: boolean;
  readonly lossless?: boolean;
  readonly nearLossless?: boolean;
}

interface GifWriting extends Timing {
  readonly format: 'gif';
  /** 1 to 10, slowest last. */
  readonly effort: number;
  /** Bits of the indices into the palette; 8 when absent. */
  readonly paletteBits?: 1 | 2 | 4 | 8;
}

interface TiffWriting {
  readonly format: 'tiff';
}

interface AvifWriting {
  readonly format: 'avif';
  /** 1 to 100. */
  readonly quality: number;
  /** 0 to 9, slowest last. */
  readonly effort: number;
  readonly chromaSubsampling: '4:4:4' | '4:2:0';
}

/** Form in which libvips writes an image, with the options under sharp's own names. */
export type LibvipsWriting =
  | { readonly format: 'raw' }
  | JpegWriting
  | PngWriting
  | WebpWriting
  | GifWriting
  | TiffWriting
  | AvifWriting;

/** Format that libvips writes. */
export type LibvipsFormat = Exclude<LibvipsWriting['format'], 'raw'>;
