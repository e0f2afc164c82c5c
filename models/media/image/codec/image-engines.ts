import type { DecodeOptions, EncodeOptions, Picture } from '../../../core/runtime/image-codec.ts';
import type { Frame } from '../../../core/runtime/raster.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import type { Deflate } from '../../bytes/zlib.ts';
import type { EncodeHevcStill } from '../heif/encode-heic.ts';
import type { KeptSamples } from '../heif/kept-samples.ts';
import type { Libheif } from '../heif/libheif.ts';
import type { SequencePlan } from '../plan-sequence.ts';
import type { InflateWithin } from '../tiff/decode-page.ts';
import type { Libvips } from './libvips.ts';
import type { ScaledEncoder } from './quality-tables.ts';

/** Engines for images of one side: libraries, loaded on first use, and no decision. */
export interface ImageEngines {
  loadLibvips(): Libvips | Promise<Libvips>;
  /** Loads a new instance with its own memory, which is freed only with the instance. */
  loadLibheif(): Libheif | Promise<Libheif>;
  /** Samples of HEIC files that were decoded last. Absent where none are kept. */
  readonly heicSamples?: KeptSamples;
  /** x265, with the scale of its quality. */
  loadHevcEncoder(): EncodeHevcStill | Promise<EncodeHevcStill>;
  readonly hevcScale: ScaledEncoder;
  readonly deflate: Deflate;
  readonly inflate: InflateWithin;
  readonly sequences: SequenceDecoder;
  /**
   * Gives an image that comes in strips to an encoder that reads it whole.
   * Absent where it is gathered in memory.
   */
  withWhole?<Result>(
    picture: Picture,
    options: EncodeOptions,
    encode: (whole: Picture) => Promise<Result>,
  ): Promise<Result>;
}

/** Decoder of the image sequences of AVIF and HEIC files. */
export interface SequenceDecoder {
  /** Sample entries that it knows. */
  readonly codings: ReadonlySet<string>;
  /**
   * Checks that it reads a sequence of a coding that it knows. Absent where it reads all.
   * @throws OperationError `unavailable` where only the other side does
   */
  assertReadable?(plan: SequencePlan, options: Pick<DecodeOptions, 'signal'>): Promise<void>;
  /**
   * Yields the frames in order, with samples as they are coded.
   * @throws OperationError `unprocessable` when one is damaged
   */
  read(plan: SequencePlan, options: Pick<DecodeOptions, 'signal'>): AsyncIterable<Frame>;
}

/** Reader and writer of one format. */
export interface FormatEngine {
  /** Opens a file that is readable for strict decoders. */
  open(file: Bytes, options: DecodeOptions, engines: ImageEngines): Picture | Promise<Picture>;
  /** Checks that a file whose end was missing lacks no samples. Absent where the decoder notices it. */
  assertWhole?(file: Bytes, engines: ImageEngines): Promise<void>;
  /** Encodes an image. Returns the parts of the file in order. */
  encode(picture: Picture, options: EncodeOptions, engines: ImageEngines): Promise<Iterable<Bytes>>;
  /** Encodes an image of strips, one at a time. Absent where the whole image is needed. */
  encodeStrips?(
    picture: Picture,
    options: EncodeOptions,
    engines: ImageEngines,
  ): Promise<Iterable<Bytes | Blob>>;
}
