import { OperationError } from '../../../core/operation/errors.ts';
import type { DecodeOptions, ImageMetadata, Picture } from '../../../core/runtime/image-codec.ts';
import type { Frame, ImageSize } from '../../../core/runtime/raster.ts';
import { assertAnimationFits, FRAMES_MAX } from '../../../kernels/raster/picture.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { startsWith } from '../../bytes/text.ts';
import {
  APPLICATION,
  DESCRIPTOR_BYTES,
  type GifBlock,
  GRAPHIC_CONTROL,
  getTableBytes,
  HEAD_BYTES,
  joinSubBlocks,
  readGifBlocks,
} from './blocks.ts';
import { unpackGifLzw } from './lzw.ts';

/** Application extensions that state how often an animation plays, with their sub-block of 3 bytes. */
const LOOPS = ['\x0bNETSCAPE2.0\x03\x01', '\x0bANIMEXTS1.0\x03\x01'];
/** Disposals: GIF89a, section 23. Some writers have 4 for 3. */
const TO_BACKGROUND = 2;
const TO_PREVIOUS: ReadonlySet<number> = new Set([3, 4]);
/** Rows of an interlaced image: GIF89a, appendix E. */
const PASSES = [
  [0, 8],
  [4, 8],
  [2, 4],
  [1, 2],
] as const;

interface GifFrame extends ImageSize {
  readonly block: GifBlock;
  readonly left: number;
  readonly top: number;
  readonly isInterlaced: boolean;
  /** Colours, three bytes each. */
  readonly table: Bytes;
  readonly transparent: number | undefined;
  readonly disposal: number;
  readonly durationMs: number;
}

interface GifFile extends ImageSize {
  readonly loopCount: number;
  readonly frames: readonly GifFrame[];
}

/**
 * Opens a GIF of a kind that libvips shows wrong: with ground that no frame covers, for it paints that black, or in the
 * background colour where a frame was disposed of, and shrinks some sizes of screens. Here, as in browsers, it is
 * transparent.
 * @returns null for a file that libvips shows right
 * @throws OperationError `unprocessable` when it is damaged, or too large
 */
export function openUncoveredGif(
  file: Bytes,
  { frames: wanted, signal }: Pick<DecodeOptions, 'frames' | 'signal'>,
  metadata: ImageMetadata,
): Picture | null {
  const gif = readGif(file);
  const { width, height, loopCount } = gif;
  const frames = wanted === 'first' ? gif.frames.slice(0, 1) : gif.frames;
  if (!hasUncovered({ ...gif, frames })) return null;
  assertAnimationFits(gif, frames.length);
  // A frame may reach beyond the screen.
  for (const frame of frames) assertAnimationFits(frame, 1);
  return {
    width,
    height,
    frameCount: frames.length,
    loopCount,
    hasAlpha: true,
    bitDepth: 8,
    metadata,
    async *frames() {
      yield* composeFrames(file, { ...gif, frames }, signal);
    },
  };
}

function readGif(file: Bytes): GifFile {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const globalTable = file.subarray(HEAD_BYTES, HEAD_BYTES + getTableBytes(file[10]));
  const frames: GifFrame[] = [];
  let loopCount = 1;
  let control = { disposal: 0, durationMs: 0, transparent: undefined as number | undefined };
  for (const block of readGifBlocks(file)) {
    const { at, dataAt, isImage, label, isWhole } = block;
    if (!isWhole) throw endsEarly();
    if (label === GRAPHIC_CONTROL && file[dataAt] === 4) {
      const flags = file[dataAt + 1];
      control = {
        disposal: (flags >> 2) & 7,
        durationMs: view.getUint16(dataAt + 2, true) * 10,
        transparent: flags & 1 ? file[dataAt + 4] : undefined,
      };
    }
    if (label === APPLICATION && LOOPS.some((head) => startsWith(file.subarray(dataAt), head))) {
      const repeats = view.getUint16(dataAt + 14, true);
      loopCount = repeats === 0 ? 0 : repeats + 1;
    }
    if (!isImage) continue;
    if (frames.length === FRAMES_MAX) throw damaged('The image has too many frames. Send fewer.');
    const [left, top, width, height] = [1, 3, 5, 7].map((place) => view.getUint16(at + place, true));
    const flags = file[at + 9];
    const tableBytes = getTableBytes(flags);
    const tableAt = at + DESCRIPTOR_BYTES;
    const table = tableBytes > 0 ? file.subarray(tableAt, tableAt + tableBytes) : globalTable;
    frames.push({ block, left, top, width, height, isInterlaced: (flags & 0x40) !== 0, table, ...control });
    control = { disposal: 0, durationMs: 0, transparent: undefined };
  }
  const [first] = frames;
  if (!first) throw damaged('The image has no frames.');
  return {
    width: Math.max(view.getUint16(6, true), first.left + first.width),
    height: Math.max(view.getUint16(8, true), first.top + first.height),
    loopCount,
    frames,
  };
}

/** Reports whether frames leave ground uncovered that libvips does not know to be transparent. */
function hasUncovered({ width, height, frames }: GifFile): boolean {
  const [first] = frames;
  const isCovered = first && first.width === width && first.height === height;
  if (!isCovered) return true;
  const knowsAlpha = frames.some(({ transparent }) => transparent !== undefined);
  if (!knowsAlpha && frames.length > 1 && TO_PREVIOUS.has(first.disposal)) return true;
  return frames.some((frame, place) => {
    const next = frames[place + 1];
    // Under a frame with transparency libvips clears the ground.
    if (!next || frame.disposal !== TO_BACKGROUND || frame.transparent !== undefined) return false;
    const isHidden = covers(next, frame) && next.transparent === undefined && !TO_PREVIOUS.has(next.disposal);
    return !isHidden;
  });
}

function covers(one: GifFrame, other: GifFrame): boolean {
  return (
    one.left <= other.left &&
    one.top <= other.top &&
    one.left + one.width >= other.left + other.width &&
    one.top + one.height >= other.top + other.height
  );
}

/** Yields the frames as they are shown, on transparent ground. */
function* composeFrames(file: Bytes, gif: GifFile, signal: AbortSignal): Generator<Frame> {
  const { width, height, frames } = gif;
  let canvas = new Uint8Array(width * height * 4);
  for (const frame of frames) {
    signal.throwIfAborted();
    const before = TO_PREVIOUS.has(frame.disposal) ? canvas.slice() : null;
    drawFrame(canvas, gif, frame, file);
    yield { width, height, data: canvas.slice(), durationMs: frame.durationMs };
    if (before) canvas = before;
    if (frame.disposal !== TO_BACKGROUND) continue;
    const right = Math.min(width, frame.left + frame.width);
    for (let y = frame.top; y < Math.min(height, frame.top + frame.height); y++)
      canvas.fill(0, (y * width + frame.left) * 4, (y * width + Math.max(frame.left, right)) * 4);
  }
}

/** Draws a frame; what lies outside of the image is cut off. */
function drawFrame(canvas: Uint8Array, { width, height }: ImageSize, frame: GifFrame, file: Bytes): void {
  const { block, left, top, table, transparent } = frame;
  const pixels = frame.width * frame.height;
  const colours = unpackGifLzw(joinSubBlocks(file, block.dataAt), file[block.dataAt - 1], pixels);
  if (colours.length < pixels) throw endsEarly();
  const columns = Math.min(frame.width, width - left);
  let row = 0;
  for (const y of rowOrder(frame)) {
    const from = row++ * frame.width;
    if (top + y >= height) continue;
    let to = ((top + y) * width + left) * 4;
    for (let x = 0; x < columns; x++, to += 4) {
      const colour = colours[from + x];
      if (colour === transparent || colour * 3 >= table.length) continue;
      canvas[to] = table[colour * 3];
      canvas[to + 1] = table[colour * 3 + 1];
      canvas[to + 2] = table[colour * 3 + 2];
      canvas[to + 3] = 255;
    }
  }
}

/** Yields the rows of an image in the order in which they are stored. */
function* rowOrder({ height, isInterlaced }: GifFrame): Generator<number> {
  for (const [first, step] of isInterlaced ? PASSES : ([[0, 1]] as const))
    for (let y = first; y < height; y += step) yield y;
}

function endsEarly(): OperationError {
  return damaged('The image is a GIF that ends too early. Send the whole file.');
}

function damaged(message: string): OperationError {
  return new OperationError('unprocessable', message, { kind: 'damaged' });
}
