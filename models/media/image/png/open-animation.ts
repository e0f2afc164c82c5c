import { OperationError } from '../../../core/operation/errors.ts';
import type { Picture } from '../../../core/runtime/image-codec.ts';
import type { Frame, Raster } from '../../../core/runtime/raster.ts';
import { formatWarning, type RunWarning } from '../../../core/runtime/run-warnings.ts';
import { FrameCanvas, type FramePart } from '../../../kernels/raster/frame-canvas.ts';
import { type Orientation, orientRaster } from '../../../kernels/raster/orient-raster.ts';
import { assertAnimationFits } from '../../../kernels/raster/picture.ts';
import { type Bytes, concat, u32 } from '../../bytes/byte-writer.ts';
import { iteratePngChunks, PNG_SIGNATURE, type PngChunk, writePngChunk } from './chunks.ts';

/** Chunks of the head that do not apply to a single frame: it is turned as a part of the whole. */
const OF_THE_WHOLE: ReadonlySet<string> = new Set(['acTL', 'eXIf', 'iTXt', 'tEXt', 'zTXt', 'tIME', 'pHYs']);

const CONTROL_BYTES = 26;

const DISPOSE = ['none', 'background', 'previous'] as const;

const BLEND = ['source', 'over'] as const;

/** Parts of a second that a denominator of 0 stands for. */
const USUAL_DENOMINATOR = 100;

/** Frame of an animated PNG. */
interface PngFrame extends FramePart {
  readonly durationMs: number;
  /** Chunks of its compressed samples, without sequence numbers. */
  readonly samples: readonly Bytes[];
}

/** Animated PNG: PNG, third edition, 4.9. */
interface PngAnimation {
  readonly width: number;
  readonly height: number;
  /** Number of plays, 0 for endless. */
  readonly loopCount: number;
  readonly frames: readonly PngFrame[];
  /** Number of frames that the file states, at least that of those it has. */
  readonly statedFrames: number;
  /** Makes the file of a frame's own pixels, in the colours of the whole. */
  writeStill(frame: PngFrame): Bytes;
}

export interface AnimationDecoding {
  /** Transform that makes the image upright. */
  readonly orientation: Orientation;
  /** Decodes a PNG of one frame, in the colours that the whole shall have. */
  readonly decodeStill: (file: Bytes) => Promise<Raster>;
  readonly signal: AbortSignal;
}

/**
 * Opens an animated PNG with a decoder of still ones.
 * @param still its still image, opened
 * @returns `still` when the file is not animated
 * @throws OperationError `unprocessable` when it is damaged, or too large
 */
export function openPngAnimation(file: Bytes, still: Picture, decoding: AnimationDecoding): Picture {
  const animation = readPngAnimation(file);
  if (!animation) return still;
  assertAnimationFits(animation, animation.frames.length);
  // Nothing is shown after the last one is cleared.
  const leavesHoles = animation.frames.slice(0, -1).some(({ dispose }) => dispose === 'background');
  const [first] = animation.frames;
  const isCovered = first?.region.width === animation.width && first.region.height === animation.height;
  return {
    width: still.width,
    height: still.height,
    frameCount: animation.frames.length,
    loopCount: animation.loopCount,
    hasAlpha: still.hasAlpha || leavesHoles || !isCovered,
    bitDepth: still.bitDepth,
    metadata: still.metadata,
    warnings: [...(still.warnings ?? []), ...missingFrames(animation)],
    frames: () => readFrames(animation, decoding),
  };
}

/** Warns of frames that a file states and lacks: it ends after one of them. */
function missingFrames({ frames, statedFrames }: PngAnimation): RunWarning[] {
  const isShort = frames.length < statedFrames;
  return isShort ? [formatWarning('missing_frames', String(frames.length), String(statedFrames))] : [];
}

async function* readFrames(
  animation: PngAnimation,
  { orientation, decodeStill, signal }: AnimationDecoding,
): AsyncGenerator<Frame> {
  const canvas = new FrameCanvas(animation.width, animation.height);
  for (const frame of animation.frames) {
    signal.throwIfAborted();
    const pixels = await decodeStill(animation.writeStill(frame));
    yield { ...orientRaster(canvas.show(frame, pixels), orientation), durationMs: frame.durationMs };
  }
}

/**
 * Reads the frames of an animated PNG. Its still image is one of them only if a frame control precedes it.
 * @returns null when the file holds none, or states and holds one
 * @throws OperationError `unprocessable` when a frame reaches beyond the image
 */
function readPngAnimation(file: Bytes): PngAnimation | null {
  const head: PngChunk[] = [];
  const frames: PngFrame[] = [];
  let control: PngFrame | undefined;
  let samples: Bytes[] = [];
  let loopCount = -1;
  let statedFrames = 0;
  let hasSamples = false;
  const store = () => {
    if (control && samples.length > 0) frames.push({ ...control, samples });
    samples = [];
  };
  for (const chunk of iteratePngChunks(file)) {
    const { type, body } = chunk;
    if (type === 'acTL' && body.length >= 8) {
      statedFrames = getView(body).getUint32(0);
      loopCount = getView(body).getUint32(4);
    }
    if (type === 'fcTL') {
      store();
      control = readControl(body);
    } else if (type === 'IDAT') {
      hasSamples = true;
      if (control) samples.push(body);
    } else if (type === 'fdAT') samples.push(body.subarray(4));
    else if (!hasSamples && !OF_THE_WHOLE.has(type)) head.push(chunk);
  }
  store();
  const ihdr = head.find(({ type }) => type === 'IHDR')?.body;
  statedFrames = Math.max(statedFrames, frames.length);
  const isAnimation = loopCount >= 0 && frames.length > 0 && statedFrames > 1;
  if (!isAnimation || !ihdr || ihdr.length < 13) return null;
  const [width, height] = [getView(ihdr).getUint32(0), getView(ihdr).getUint32(4)];
  for (const { region } of frames) {
    const fits = region.left + region.width <= width && region.top + region.height <= height;
    if (!fits || region.width < 1 || region.height < 1) throw damaged();
  }
  return { width, height, loopCount, frames, statedFrames, writeStill: (frame) => writeStill(head, frame) };
}

/** Reads fcTL: 11.3.6.2. */
function readControl(body: Bytes): PngFrame {
  if (body.length < CONTROL_BYTES) throw damaged();
  const view = getView(body);
  const dispose = DISPOSE[view.getUint8(24)];
  const blend = BLEND[view.getUint8(25)];
  if (!dispose || !blend) throw damaged();
  const region = {
    width: view.getUint32(4),
    height: view.getUint32(8),
    left: view.getUint32(12),
    top: view.getUint32(16),
  };
  const durationMs = (1000 * view.getUint16(20)) / (view.getUint16(22) || USUAL_DENOMINATOR);
  return { region, durationMs, dispose, blend, samples: [] };
}

function writeStill(head: readonly PngChunk[], { region, samples }: PngFrame): Bytes {
  const chunks = head.map(({ type, body }) =>
    type === 'IHDR'
      ? writePngChunk(type, u32(region.width, region.height), body.subarray(8))
      : writePngChunk(type, body),
  );
  const coded = samples.map((body) => writePngChunk('IDAT', body));
  return concat([PNG_SIGNATURE, ...chunks, ...coded, writePngChunk('IEND')]);
}

function getView(bytes: Bytes): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function damaged(): OperationError {
  return new OperationError('unprocessable', 'The image is a damaged animated PNG: a frame is invalid.', {
    kind: 'damaged',
  });
}
