import { OperationError } from '../../core/operation/errors.ts';
import type { DecodeOptions, Picture } from '../../core/runtime/image-codec.ts';
import type { Frame, ImageSize } from '../../core/runtime/raster.ts';
import { assertAnimationFits, straightenAlpha } from '../../kernels/raster/picture.ts';
import { type SampleColours, sequenceColours } from './colours.ts';
import { readTrackColours, type TrackColours } from './heif/read-encoding.ts';
import { type HeifSequence, readHeifSequence } from './heif/read-sequence.ts';

/** Primary image of a file with a sequence, shown upright. */
export type SequenceStill = Pick<Picture, 'width' | 'height' | 'metadata' | 'warnings'>;

/** Image sequence of an AVIF or HEIC file that a decoder knows. */
export interface SequencePlan {
  readonly sequence: HeifSequence;
  /** Colours and coding of its samples, as its track states them. */
  readonly stated: TrackColours;
  /** Meaning of its samples. */
  readonly colours: SampleColours;
  /** Whether frames need 16 bits per sample: steps of 8 bits would show in what tone mapping brightens. */
  readonly is16Bit: boolean;
}

/**
 * Plans the decoding of the image sequence of a file, if all frames are wanted.
 * @param still size of its primary image
 * @param codings sample entries that the decoder knows
 * @returns null when there is no sequence, or one that cannot be decoded
 * @throws OperationError `unprocessable` when it is damaged, or too large
 */
export function planSequence(
  file: Uint8Array<ArrayBuffer>,
  still: ImageSize,
  { frames }: Pick<DecodeOptions, 'frames'>,
  codings: ReadonlySet<string>,
): SequencePlan | null {
  const sequence = frames === 'all' ? readHeifSequence(file) : null;
  if (!(sequence && isDecodable(sequence, still, codings))) return null;
  const { main } = sequence;
  assertAnimationFits(main, main.samples.length);
  const stated = readTrackColours(main);
  const colours = sequenceColours(stated);
  return { sequence, stated, colours, is16Bit: colours.kind === 'hdr' };
}

/**
 * Reports whether a decoder knows a sequence. A still of another size is turned or cropped, which nothing says of it.
 */
function isDecodable({ main, alpha }: HeifSequence, still: ImageSize, codings: ReadonlySet<string>): boolean {
  const hasCoding = [main, ...(alpha ? [alpha] : [])].every(({ coding }) => codings.has(coding));
  const isSameSize = main.width === still.width && main.height === still.height;
  return main.samples.length > 1 && hasCoding && isSameSize;
}

/** Creates the image of a sequence, with straight alpha, and otherwise with samples as they are coded. */
export function sequencePicture(
  { sequence: { main, alpha, isPremultiplied, loopCount }, is16Bit }: SequencePlan,
  still: SequenceStill,
  frames: () => AsyncIterable<Frame>,
): Picture {
  const { icc: _, ...metadata } = still.metadata;
  const picture: Picture = {
    width: main.width,
    height: main.height,
    frameCount: main.samples.length,
    loopCount,
    hasAlpha: alpha !== undefined,
    bitDepth: is16Bit ? 16 : 8,
    metadata,
    warnings: (still.warnings ?? []).filter(({ kind }) => kind !== 'tone_mapped'),
    frames,
  };
  return isPremultiplied ? straightenAlpha(picture) : picture;
}

/** Creates the error for a sequence with frames that cannot be decoded. */
export function lostFrames(cause?: unknown): OperationError {
  return new OperationError('unprocessable', 'The image is damaged: some of its frames cannot be decoded.', {
    kind: 'damaged',
    cause,
  });
}
