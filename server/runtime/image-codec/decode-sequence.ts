import {
  AVCOL_RANGE_JPEG,
  AVCOL_RANGE_UNSPECIFIED,
  AVCOL_SPC_SMPTE170M,
  AVCOL_SPC_UNSPECIFIED,
  type AVColorSpace,
  AVERROR_ENOMEM,
} from 'node-av/constants';
import { type Frame as AvFrame, FFmpegError } from 'node-av/lib';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { DecodeOptions } from '../../../models/core/runtime/image-codec.ts';
import type { Frame, Raster } from '../../../models/core/runtime/raster.ts';
import { copyAlpha } from '../../../models/kernels/raster/pixel-format.ts';
import type { SequenceDecoder } from '../../../models/media/image/codec/image-engines.ts';
import type { TrackColours } from '../../../models/media/image/heif/read-encoding.ts';
import type { SequenceSample, SequenceTrack } from '../../../models/media/image/heif/read-sequence.ts';
import { lostFrames, type SequencePlan } from '../../../models/media/image/plan-sequence.ts';
import { AvDecoder } from '../media/av-decoder.ts';
import { PixelConverter } from '../media/pixels.ts';

/** Codings of sequences that FFmpeg decodes, and the boxes that set its decoders up. */
const CODINGS: Readonly<Record<string, { readonly codec: string; readonly box: string }>> = {
  av01: { codec: 'av1', box: 'av1C' },
  hvc1: { codec: 'hevc', box: 'hvcC' },
  hev1: { codec: 'hevc', box: 'hvcC' },
};

/** Decodes the image sequences of AVIF and HEIC files with FFmpeg. */
export const ffmpegSequences: SequenceDecoder = {
  codings: new Set(Object.keys(CODINGS)),
  read: readFrames,
};

async function* readFrames(
  { sequence: { main, alpha }, is16Bit, stated }: SequencePlan,
  { signal }: Pick<DecodeOptions, 'signal'>,
): AsyncGenerator<Frame> {
  using pixels = new PixelConverter();
  using colours = getDecoder(main);
  using opacity = alpha ? getDecoder(alpha) : null;
  const mattes = alpha && opacity ? decodeTrack(opacity, alpha.samples) : null;
  const toRaster = (frame: AvFrame): Raster => {
    try {
      return is16Bit
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

function getDecoder({ coding, properties }: SequenceTrack): AvDecoder {
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
