import { OperationError } from '../../../core/operation/errors.ts';
import type { FramePart } from '../../../kernels/raster/frame-canvas.ts';
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
export interface PngFrame extends FramePart {
  readonly durationMs: number;
  /** Chunks of its compressed samples, without sequence numbers. */
  readonly samples: readonly Bytes[];
}

/** Animated PNG: PNG, third edition, 4.9. */
export interface PngAnimation {
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

/**
 * Reads the frames of an animated PNG. Its still image is one of them only if a frame control precedes it.
 * @returns null when the file holds none, or states and holds one
 * @throws OperationError `unprocessable` when a frame reaches beyond the image
 */
export function readPngAnimation(file: Bytes): PngAnimation | null {
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
      statedFrames = viewOf(body).getUint32(0);
      loopCount = viewOf(body).getUint32(4);
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
  const [width, height] = [viewOf(ihdr).getUint32(0), viewOf(ihdr).getUint32(4)];
  for (const { region } of frames) {
    const fits = region.left + region.width <= width && region.top + region.height <= height;
    if (!fits || region.width < 1 || region.height < 1) throw damaged();
  }
  return { width, height, loopCount, frames, statedFrames, writeStill: (frame) => writeStill(head, frame) };
}

/** Reads fcTL: 11.3.6.2. */
function readControl(body: Bytes): PngFrame {
  if (body.length < CONTROL_BYTES) throw damaged();
  const view = viewOf(body);
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

function viewOf(bytes: Bytes): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function damaged(): OperationError {
  return new OperationError('unprocessable', 'The image is a damaged animated PNG: a frame is invalid.', {
    kind: 'damaged',
  });
}
