import { OperationError } from '../../../models/core/operation/errors.ts';
import type { DecodeOptions } from '../../../models/core/runtime/image-codec.ts';
import type { Frame, ImageSize } from '../../../models/core/runtime/raster.ts';
import { isKnownMatrix, type YuvPicture, yuvToRgba } from '../../../models/kernels/colour/yuv-to-rgba.ts';
import { copyAlpha } from '../../../models/kernels/raster/pixel-format.ts';
import type { SequenceDecoder } from '../../../models/media/image/codec/image-engines.ts';
import type { SequenceTrack } from '../../../models/media/image/heif/read-sequence.ts';
import { lostFrames, type SequencePlan } from '../../../models/media/image/plan-sequence.ts';
import { decodeChunks } from '../media/decode-chunks.ts';

const AV1 = 'av01';

/** Decodes AV1 sequences with the browser's own decoder. */
export const webCodecsSequences: SequenceDecoder = {
  codings: new Set([AV1, 'hvc1', 'hev1']),
  assertReadable,
  read: readSequence,
};

type Wanted = Pick<DecodeOptions, 'signal'>;

type SampleColours = Pick<YuvPicture, 'matrix' | 'isFullRange'>;

/** Layouts of decoded samples by WebCodecs' names. */
const FORMATS: Readonly<Record<string, Pick<YuvPicture, 'bits' | 'halvings'>>> = Object.fromEntries(
  Object.entries({ '': 8, P10: 10, P12: 12 }).flatMap(([suffix, bits]) => [
    [`I420${suffix}`, { bits, halvings: { across: 1, down: 1 } }],
    [`I422${suffix}`, { bits, halvings: { across: 1, down: 0 } }],
    [`I444${suffix}`, { bits, halvings: { across: 0, down: 0 } }],
  ]),
);
/** Codes of the coefficients (ITU-T H.273, table 4) by WebCodecs' names. */
const MATRICES: Readonly<Record<string, number>> = { bt709: 1, bt470bg: 5, smpte170m: 6, 'bt2020-ncl': 9 };
const UNSPECIFIED = 2;
/** Coefficients of a track that states none: BT.601, as in libavif. */
const USUAL_MATRIX = 6;

/**
 * Yields the frames of an AV1 sequence, with samples as they are coded: `ImageDecoder` takes those of the full range
 * for limited ones (Chromium 156), and converts others in its own way.
 * @throws OperationError `unprocessable` when a frame is damaged; `unavailable` when this browser cannot read one
 */
async function* readSequence(
  { sequence: { main, alpha }, stated, is16Bit }: SequencePlan,
  { signal }: Wanted,
): AsyncGenerator<Frame> {
  const top = is16Bit ? 65_535 : 255;
  const mattes = alpha ? decodeTrack(alpha) : null;
  let index = 0;
  try {
    for await (const frame of decodeTrack(main)) {
      const raster = yuvToRgba(await readPlanes(frame, main, getColours(frame, stated.samples)), top);
      signal.throwIfAborted();
      const matte = (await mattes?.next())?.value;
      if (matte) copyAlpha(yuvToRgba(await readPlanes(matte, main, getColours(matte)), top), raster);
      yield { ...raster, durationMs: main.samples[index]?.durationMs ?? 0 };
      index++;
    }
  } finally {
    await mattes?.return(undefined);
  }
  if (index !== main.samples.length) throw lostFrames();
}

/** Checks that this browser reads the first frame of a sequence: few decode 12 bits, and none here HEVC. */
async function assertReadable(plan: SequencePlan, { signal }: Wanted): Promise<void> {
  const { main, alpha } = plan.sequence;
  if ([main, alpha].some((track) => track && track.coding !== AV1)) throw unreadableFrame();
  if (!('VideoDecoder' in globalThis)) throw unreadableFrame();
  const frames = readSequence(plan, { signal });
  try {
    await frames.next();
  } catch {
    signal.throwIfAborted();
    throw unreadableFrame();
  } finally {
    await frames.return(undefined);
  }
}

/** Decodes a track. The caller closes each frame. */
function decodeTrack({ properties, samples }: SequenceTrack): AsyncGenerator<VideoFrame, undefined> {
  const chunks = samples.map(
    ({ data }, timestamp) =>
      new EncodedVideoChunk({ type: timestamp === 0 ? 'key' : 'delta', timestamp, data }),
  );
  // Frames of other decoders may lie where scripts cannot read their samples.
  const config = {
    codec: av1Codec(properties.get('av1C')),
    hardwareAcceleration: 'prefer-software',
  } as const;
  return decodeChunks(chunks, config, lostFrames);
}

/** Returns the name of a codec by its configuration: AV1 in ISO media, 2.3.3 and 5. */
function av1Codec(configuration = new Uint8Array(4)): string {
  const [, second = 0, third = 0] = configuration;
  const [profile, level] = [second >> 5, String(second & 31).padStart(2, '0')];
  const bits = (third & 0x40) === 0 ? '08' : (third & 0x20) === 0 ? '10' : '12';
  return `av01.${profile}.${level}${third & 0x80 ? 'H' : 'M'}.${bits}`;
}

/** Returns how samples are coded: as a track states it, else as the decoder does. */
function getColours({ colorSpace }: VideoFrame, stated?: SampleColours): SampleColours {
  const matrix = stated && stated.matrix !== UNSPECIFIED ? stated.matrix : MATRICES[colorSpace.matrix ?? ''];
  return {
    matrix: matrix ?? USUAL_MATRIX,
    isFullRange: stated?.isFullRange ?? colorSpace.fullRange ?? false,
  };
}

/** Reads the planes of a frame, and closes it. */
async function readPlanes(
  frame: VideoFrame,
  { width, height }: ImageSize,
  colours: SampleColours,
): Promise<YuvPicture> {
  try {
    const { format, visibleRect } = frame;
    const layout = FORMATS[format ?? ''];
    if (!layout || !isKnownMatrix(colours.matrix)) throw unreadableFrame();
    if (visibleRect?.width !== width || visibleRect.height !== height) throw lostFrames();
    const bytes = new Uint8Array(frame.allocationSize());
    const planes = await frame.copyTo(bytes);
    const samples = layout.bits === 8 ? bytes : new Uint16Array(bytes.buffer);
    const [luma, blue, red] = planes.map(({ offset, stride }) => ({
      samples,
      start: offset / samples.BYTES_PER_ELEMENT,
      stride: stride / samples.BYTES_PER_ELEMENT,
    }));
    if (!(luma && blue && red)) throw unreadableFrame();
    return { width, height, ...layout, ...colours, planes: [luma, blue, red] };
  } finally {
    frame.close();
  }
}

function unreadableFrame(): OperationError {
  return new OperationError(
    'unavailable',
    'This browser cannot read the frames of the image. Run it on the server.',
    { kind: 'no_codecs' },
  );
}
