import {
  AVCOL_PRI_BT709,
  AVCOL_PRI_UNSPECIFIED,
  AVCOL_SPC_SMPTE170M,
  AVCOL_SPC_UNSPECIFIED,
  AVCOL_TRC_ARIB_STD_B67,
  AVCOL_TRC_SMPTE2084,
} from 'node-av/constants';
import type { Frame as AvFrame } from 'node-av/lib';
import {
  type HeifSequence,
  readHeifSequence,
  type SequenceSample,
  type SequenceTrack,
} from '../../../models/files/heif/read-sequence.ts';
import { assertAnimationFits } from '../../../models/files/png/open-animation.ts';
import { OperationError } from '../../../models/operation/errors.ts';
import type { DecodeOptions, Picture } from '../../../models/runtime/image-codec.ts';
import type { Frame, Raster8 } from '../../../models/runtime/raster.ts';
import { AvDecoder } from '../ffmpeg/av-decoder.ts';
import { PixelConverter } from '../video/pixels.ts';

/** Codings of sequences that FFmpeg decodes, and the boxes that set its decoders up. */
const CODINGS: Readonly<Record<string, { readonly codec: string; readonly box: string }>> = {
  av01: { codec: 'av1', box: 'av1C' },
  hvc1: { codec: 'hevc', box: 'hvcC' },
};

/**
 * Opens the image sequence of an AVIF or HEIC file, if all frames are wanted.
 * @param still its primary image, opened
 * @returns `still` when there is no sequence, or one that cannot be decoded in sRGB
 * @throws OperationError `unprocessable` when it is damaged, or too large
 */
export function openSequence(
  input: Uint8Array<ArrayBuffer>,
  still: Picture,
  { frames, signal }: DecodeOptions,
): Picture {
  const sequence = frames === 'all' ? readHeifSequence(input) : null;
  if (!(sequence && isDecodable(sequence, still))) return still;
  const { main, alpha, loopCount } = sequence;
  assertAnimationFits(main, main.samples.length);
  return {
    width: main.width,
    height: main.height,
    frameCount: main.samples.length,
    loopCount,
    hasAlpha: alpha !== undefined,
    bitDepth: 8,
    metadata: still.metadata,
    warnings: still.warnings ?? [],
    frames: () => readFrames(sequence, signal),
  };
}

/** A still of another size is turned or cropped, which nothing says of the sequence. */
function isDecodable({ main, alpha }: HeifSequence, still: Picture): boolean {
  const hasCoding = [main, ...(alpha ? [alpha] : [])].every(({ coding }) => Object.hasOwn(CODINGS, coding));
  const isSameSize = main.width === still.width && main.height === still.height;
  return main.samples.length > 1 && hasCoding && isSameSize && isNearSrgb(main);
}

/** Reports whether the colours of a track can be taken as sRGB: no profile, nor other primaries or curves. */
function isNearSrgb({ properties }: SequenceTrack): boolean {
  const colr = properties.get('colr');
  if (!colr) return true;
  if (String.fromCharCode(...colr.subarray(0, 4)) !== 'nclx') return false;
  const view = new DataView(colr.buffer, colr.byteOffset, colr.byteLength);
  const [primaries, curve] = [view.getUint16(4), view.getUint16(6)];
  const hasPrimaries = primaries === AVCOL_PRI_BT709 || primaries === AVCOL_PRI_UNSPECIFIED;
  return hasPrimaries && curve !== AVCOL_TRC_SMPTE2084 && curve !== AVCOL_TRC_ARIB_STD_B67;
}

async function* readFrames({ main, alpha }: HeifSequence, signal: AbortSignal): AsyncGenerator<Frame> {
  using pixels = new PixelConverter();
  using colours = decoderOf(main);
  using opacity = alpha ? decoderOf(alpha) : null;
  const mattes = alpha && opacity ? decodeTrack(opacity, alpha.samples) : null;
  let place = 0;
  for (const frame of decodeTrack(colours, main.samples)) {
    signal.throwIfAborted();
    const raster = toRaster(frame, pixels, main);
    const matte = mattes?.next();
    if (matte && !matte.done) copyAlpha(toRaster(matte.value, pixels, main), raster);
    yield { ...raster, durationMs: main.samples[place]?.durationMs ?? 0 };
    place++;
  }
  if (place !== main.samples.length) {
    throw new OperationError('unprocessable', 'The image is damaged: some of its frames cannot be decoded.');
  }
}

function decoderOf({ coding, properties }: SequenceTrack): AvDecoder {
  const { codec = null, box = '' } = CODINGS[coding] ?? {};
  return new AvDecoder({ codec, description: properties.get(box) });
}

/** Yields the frames in the order of presentation, each valid until the next. */
function* decodeTrack(decoder: AvDecoder, samples: readonly SequenceSample[]): Generator<AvFrame> {
  for (const [place, { data }] of samples.entries()) {
    yield* decoder.decode({ data, microsecondTimestamp: place, microsecondDuration: 1 });
  }
  yield* decoder.decode(null);
}

/** Converts a frame to RGBA. Without a stated matrix it is BT.601, as in libavif. */
function toRaster(frame: AvFrame, pixels: PixelConverter, { width, height }: SequenceTrack): Raster8 {
  if (frame.colorSpace === AVCOL_SPC_UNSPECIFIED) frame.colorSpace = AVCOL_SPC_SMPTE170M;
  return pixels.toRgba(frame, width, height);
}

/** Copies gray levels into alpha. */
function copyAlpha({ data: levels }: Raster8, { data }: Raster8): void {
  for (let at = 0; at < data.length; at += 4) data[at + 3] = levels[at] as number;
}
