import type { EncoderTuning, ImageMetadata, PrintResolution } from '../../core/runtime/image-codec.ts';
import type { ImageSize } from '../../core/runtime/raster.ts';
import { formatWarning, type RunWarning } from '../../core/runtime/run-warnings.ts';
import type { ColourEncoding } from '../../kernels/colour/colour-encoding.ts';
import type { ByteWindow } from '../bytes/byte-window.ts';
import type { Bytes } from '../bytes/byte-writer.ts';
import type { Inflate } from '../bytes/zlib.ts';

/** Length of the end in which the last marker of an image is looked for: programs may add some bytes behind it. */
const TAIL_BYTES = 1024;
/** Contents of a file with one image. */
export const ONE_IMAGE: FileContents = { count: 1, kind: 'images', hasGainMap: false };

/** Keyword of texts in formats without keywords. */
export const COMMENT = 'Comment';

/** Kind of metadata: blocks as `ImageMetadata` has them, or fields of the format's own for the resolution. */
export type MetadataKind = keyof ImageMetadata;

/**
 * Card of an image format: all that is known of it without its engine. Pages import cards, so a card holds data and
 * the test of a signature; code that reads files loads on demand.
 */
export interface ImageFormatCard<Id extends string = string, Target extends string = string> {
  readonly id: Id;
  /** Name as people write it: `JPG`. */
  readonly name: string;
  readonly mediaType: `image/${string}`;
  /** Extensions of its files without dots, the usual one first. */
  readonly extensions: readonly string[];
  /** Names of the format as a target of a conversion, the usual one first; none for a format that is only read. */
  readonly targetNames: readonly Target[];
  /** Use of the format, for people who choose one. */
  readonly advice: string;
  /** Seconds that a browser tab takes to write 12 megapixels, on the machine that `MEASURED_ON` names. */
  readonly writeSeconds: number;
  /** Most pixels per side; absent where no image reaches the limit. */
  readonly sideMax?: number;
  /** Abilities of the files that are written. */
  readonly holds: {
    readonly alpha: boolean;
    /** Whether samples of 16 bits stay as they are. */
    readonly is16Bit: boolean;
    /** Several images that a file usually holds; `undefined` for one. */
    readonly several: 'frames' | 'pages' | undefined;
    readonly metadata: readonly MetadataKind[];
    /** Keywords that texts may have; any when absent. */
    readonly keywords?: readonly string[];
  };
  /** Whether a quality number has a meaning. */
  readonly isLossy: boolean;
  /** Coding of drawings in place of the usual one: with all colour resolution, without loss, or without filters. */
  readonly drawings?: 'full-chroma' | 'lossless' | 'unfiltered';
  /** Settings that encoders of the format have besides quality. */
  readonly tuning: readonly (keyof EncoderTuning)[];
  /** Whether only a GPL encoder writes it. */
  readonly needsGplEncoder?: true;
  /** Whether a few steps of plain code read its header, within the first bytes of the file. */
  readonly hasSimpleHeader?: true;
  /** Ways in which browsers show files of the format. */
  readonly inBrowsers: { readonly isShown: boolean; readonly ignoresExif?: true };
  /** Recognises the format by the first 64 bytes of a file, a character for each byte. */
  matches(head: string): boolean;
  /** Loads the code that reads and writes the structure of its files. */
  load(): Promise<ImageFileCode>;
}

/** Images that a file holds. Reduced copies, thumbnails, masks and gain maps do not count. */
export interface FileContents {
  /** At least 1. */
  readonly count: number;
  /** Frames of an animation, pages of a document, or images that only lie side by side. */
  readonly kind: 'frames' | 'pages' | 'images';
  readonly hasGainMap: boolean;
}

/** File as a decoder should read it. */
export interface ReadableFile {
  readonly bytes: Bytes;
  /** Whether its end was missing: its samples need not be complete, which its decoder must check. */
  readonly wasCompleted: boolean;
  readonly warnings: readonly RunWarning[];
}

/** File whose end is missing: cut off during a download or a copy. */
export interface MissingEnd {
  /** Share of the file that is there, 0 to 1; null where its structure does not state its length. */
  readonly presentShare: number | null;
}

/**
 * Code that reads and writes the structure of a format's files, without decoding samples. An absent member means that
 * the format has nothing of the kind. Damage throws `OperationError` or `RangeError`; callers bound both.
 */
export interface ImageFileCode {
  /** Reads the size as stored, which a decoder needs memory for. */
  readSize(bytes: ByteWindow): Promise<ImageSize>;
  /** Reads the size of the part that is shown, before it is turned upright; all of it where absent. */
  readShownSize?(bytes: ByteWindow, stored: ImageSize): Promise<ImageSize>;
  /** Reports whether the header announces several frames. */
  isAnimated?(bytes: ByteWindow): Promise<boolean>;
  /** Checks a header whose size any bytes could be. */
  assertHeader?(file: Blob): Promise<void>;
  /** Checks that decoders read an image of the size that probing has found. */
  assertProbedSize?(file: Blob, readable: Bytes): Promise<void>;
  readContents?(file: Bytes): FileContents;
  /** Reports whether the image has alpha. */
  hasAlpha?(file: Bytes): boolean;
  /** Reports whether the stored colours are multiplied by alpha, which decoders leave as they are. */
  isPremultiplied?(file: Bytes): boolean;
  /** Reads as much of the start of a file as holds all its metadata: for formats whose metadata come first. */
  readHead?(file: Blob): Promise<Bytes>;
  readMetadata?(file: Bytes, inflate: Inflate): ImageMetadata | Promise<ImageMetadata>;
  /** Whether a file is a TIFF stream, whose own directory is like that of EXIF. */
  readonly isExifStream?: true;
  /** Reports whether the container turns the image by a quarter, where decoders ignore EXIF. */
  isRotated?(bytes: ByteWindow): Promise<boolean>;
  /** Reads the datasets of IPTC-IIM. */
  readIptc?(file: Bytes): Bytes | undefined;
  /** Reads the print resolution from the format's own fields. */
  readResolution?(file: Bytes): PrintResolution | undefined;
  /** Reads an encoding of the samples that stands outside of a profile. */
  readEncoding?(file: Bytes, exif: Bytes | undefined): ColourEncoding | null;
  /** Reports whether that encoding counts even where the file has a profile. */
  outranksProfile?(file: Bytes): boolean;
  isGrey?(file: Bytes): boolean;
  /** Adds an end that is missing after the image itself, or simplifies the structure. It may change the bytes. */
  complete?(file: Bytes): ReadableFile | null;
  /** Looks for the end of a damaged file. */
  findMissingEnd?(file: Blob): Promise<MissingEnd | null>;
  /** Puts metadata into a file without any. Returns the parts of the file in order. */
  embedMetadata?(
    file: Bytes,
    metadata: ImageMetadata,
    size: ImageSize & { readonly hasAlpha: boolean },
  ): Bytes[];
  /** Puts a profile into a file, or removes it. Returns null where samples must be converted once decoded. */
  replaceProfile?(file: Bytes, icc: Bytes | undefined): Bytes | null;
}

/** Defines a card, with its id and its names as types. */
export function defineImageFormat<const Id extends string, const Target extends string>(
  card: ImageFormatCard<Id, Target>,
): ImageFormatCard<Id, Target> {
  return card;
}

/** Describes an animation of so many frames. */
export function getAnimation(frames: number): FileContents {
  return { ...ONE_IMAGE, count: Math.max(1, frames), kind: 'frames' };
}

/** Describes a file whose end was added; null where nothing was missing. */
export function completedFile(bytes: Bytes | null, part: string): ReadableFile | null {
  return bytes && { bytes, wasCompleted: true, warnings: [formatWarning('missing_end', part)] };
}

/** Reports a file without its last marker as one whose end is missing. */
export async function withoutMarker(file: Blob, marker: string): Promise<MissingEnd | null> {
  const tail = new Uint8Array(await file.slice(Math.max(0, file.size - TAIL_BYTES)).arrayBuffer());
  return String.fromCharCode(...tail).includes(marker) ? null : { presentShare: null };
}

/** Reports a file that is shorter than it states as one whose end is missing. */
export function shorterThan({ size }: Blob, bytes: number): MissingEnd | null {
  return size < bytes ? { presentShare: size / bytes } : null;
}
