import {
  AVCOL_RANGE_JPEG,
  AVCOL_RANGE_UNSPECIFIED,
  AVCOL_SPC_SMPTE170M,
  AVCOL_SPC_UNSPECIFIED,
  type AVColorSpace,
  AVERROR_ENOMEM,
} from 'node-av/constants';
import { type Frame as AvFrame, FFmpegError } from 'node-av/lib';
import { sequenceColours } from '../../../models/files/colours/read-colours.ts';
import { readTrackColours, type TrackColours } from '../../../models/files/heif/read-encoding.ts';
import {
  type HeifSequence,
  readHeifSequence,
  type SequenceSample,
  type SequenceTrack,
} from '../../../models/files/heif/read-sequence.ts';
import { assertAnimationFits } from '../../../models/kernels/picture/assert-animation-fits.ts';
import { OperationError } from '../../../models/operation/errors.ts';
import type { DecodeOptions, Picture } from '../../../models/runtime/image-codec.ts';
import type { Frame, Raster } from '../../../models/runtime/raster.ts';
import { AvDecoder } from '../ffmpeg/av-decoder.ts';
import { PixelConverter } from '../video/pixels.ts';
import { applyColours } from './apply-colours.ts';

/** Codings of sequences that FFmpeg decodes, and the boxes that set its decoders up. */
const CODINGS: Readonly<Record<string, { readonly codec: string; readonly box: string }>> = {
  av01: { codec: 'av1', box: 'av1C' },
  hvc1: { codec: 'hevc', box: 'hvcC' },
  hev1: { codec: 'hevc', box: 'hvcC' },
};

/**
 * Opens the image sequence of an AVIF or HEIC file, if all frames are wanted.
 * @param still its primary image, opened
 * @returns `still` when there is no sequence, or one that cannot be decoded
 * @throws OperationError `unprocessable` when it is damaged, or too large
 */
export async function openSequence(
  input: Uint8Array<ArrayBuffer>,
  still: Picture,
  options: DecodeOptions,
): Promise<Picture> {
  const sequence = options.frames === 'all' ? readHeifSequence(input) : null;
  if (!(sequence && isDecodable(sequence, still))) return still;
  const { main, alpha, loopCount } = sequence;
  assertAnimationFits(main, main.samples.length);
  const stated = readTrackColours(main);
  const colours = sequenceColours(stated);
  // Steps of 8 bits would show in what tone mapping brightens.
  const isDeep = colours.kind === 'hdr';
  const { icc: _, ...metadata } = still.metadata;
  const picture: Picture = {
    width: main.width,
    height: main.height,
    frameCount: main.samples.length,
    loopCount,
    hasAlpha: alpha !== undefined,
    bitDepth: isDeep ? 16 : 8,
    metadata,
    warnings: (still.warnings ?? []).filter(({ kind }) => kind !== 'tone_mapped'),
    frames: () => readFrames(sequence, { isDeep, stated, signal: options.signal }),
  };
  return applyColours(picture, colours, options);
}

/** A still of another size is turned or cropped, which nothing says of the sequence. */
function isDecodable({ main, alpha }: HeifSequence, still: Picture): boolean {
  const hasCoding = [main, ...(alpha ? [alpha] : [])].every(({ coding }) => Object.hasOwn(CODINGS, coding));
  const isSameSize = main.width === still.width && main.height === still.height;
  return main.samples.length > 1 && hasCoding && isSameSize;
}

interface SequenceDecoding {
  /** Whether frames have 16 bits per sample. */
  readonly isDeep: boolean;
  readonly stated: TrackColours;
  readonly signal: AbortSignal;
}

async function* readFrames(
  { main, alpha }: HeifSequence,
  { isDeep, stated, signal }: SequenceDecoding,
): AsyncGenerator<Frame> {
  using pixels = new PixelConverter();
  using colours = decoderOf(main);
  using opacity = alpha ? decoderOf(alpha) : null;
  const mattes = alpha && opacity ? decodeTrack(opacity, alpha.samples) : null;
  const toRaster = (frame: AvFrame): Raster => {
    try {
      return isDeep
        ? pixels.toDeepRgba(frame, main.width, main.height)
        : pixels.toRgba(frame, main.width, main.height);
    } catch (thrown) {
      throw toColourError(thrown);
    }
  };
  let place = 0;
  for (const frame of decodeTrack(colours, main.samples)) {
    signal.throwIfAborted();
    describeSamples(frame, stated);
    const raster = toRaster(frame);
    const matte = mattes?.next();
    if (matte && !matte.done) {
      describeSamples(matte.value, {});
      copyAlpha(toRaster(matte.value), raster);
    }
    yield { ...raster, durationMs: main.samples[place]?.durationMs ?? 0 };
    place++;
  }
  if (place !== main.samples.length) throw lostFrames();
}

/** Translates what FFmpeg cannot convert, such as the matrix YCgCo, into the file's fault. Lack of memory is ours. */
function toColourError(thrown: unknown): unknown {
  if (!(thrown instanceof FFmpegError) || thrown.code === AVERROR_ENOMEM) return thrown;
  return new OperationError(
    'unprocessable',
    'The image has frames whose colours are coded in a way that is not supported. Export it again.',
    { cause: thrown },
  );
}

function lostFrames(cause?: unknown): OperationError {
  return new OperationError('unprocessable', 'The image is damaged: some of its frames cannot be decoded.', {
    kind: 'damaged',
    cause,
  });
}

function decoderOf({ coding, properties }: SequenceTrack): AvDecoder {
  const { codec = null, box = '' } = CODINGS[coding] ?? {};
  return new AvDecoder({ codec, description: properties.get(box) });
}

/**
 * Yields the frames in the order of presentation, each valid until the next.
 * @throws OperationError `unprocessable` when one is damaged
 */
function* decodeTrack(decoder: AvDecoder, samples: readonly SequenceSample[]): Generator<AvFrame> {
  try {
    for (const [place, { data }] of samples.entries()) {
      yield* decoder.decode({ data, microsecondTimestamp: place, microsecondDuration: 1 });
    }
    yield* decoder.decode(null);
  } catch (thrown) {
    throw thrown instanceof OperationError ? lostFrames(thrown) : thrown;
  }
}

/** Completes what a frame says of its samples by its track; without a stated matrix it is BT.601, as in libavif. */
function describeSamples(frame: AvFrame, { samples }: TrackColours): void {
  const matrix = samples?.matrix ?? AVCOL_SPC_UNSPECIFIED;
  if (frame.colorSpace === AVCOL_SPC_UNSPECIFIED) frame.colorSpace = matrix as AVColorSpace;
  if (frame.colorSpace === AVCOL_SPC_UNSPECIFIED) frame.colorSpace = AVCOL_SPC_SMPTE170M;
  if (frame.colorRange === AVCOL_RANGE_UNSPECIFIED && samples?.isFullRange)
    frame.colorRange = AVCOL_RANGE_JPEG;
}

/** Copies gray levels into alpha. */
function copyAlpha({ data: levels }: Raster, { data }: Raster): void {
  for (let at = 0; at < data.length; at += 4) data[at + 3] = levels[at] as number;
}
