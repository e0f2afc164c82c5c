import type { AudioContainer } from '../../../core/runtime/audio-codec.ts';
import { ByteReader } from '../../bytes/byte-reader.ts';
import { FRAME_HEAD_BYTES, FRAME_READERS, type OpenFrames } from './raw-frames.ts';

/** Part of a file that consists of frames only, as a separate file. */
export interface FrameWindow {
  readonly file: Blob;
  /** Time of the window's first sample. */
  readonly startSeconds: number;
  /** Length at the start of `file` that precedes the window: decoders predict samples from earlier ones. */
  readonly warmUpSeconds: number;
}

/** Containers of frames. Those of AMR have a head of their own. */
export type FramedContainer = 'amr' | keyof typeof FRAME_READERS;

/** Reports whether a container holds frames without an index, so that its parts are cut out by bytes. */
export function isFramed(container: AudioContainer): container is FramedContainer {
  return container === 'amr' || Object.hasOwn(FRAME_READERS, container);
}

interface Frame {
  readonly bytes: number;
  /** 0 for a frame that belongs to the one before it. */
  readonly samples: number;
  /** Whether decoding can begin with it. Defaults to whether it has its own samples. */
  readonly isStart?: boolean;
}

/** Boundary between two frames. Samples are whole numbers: seconds would add up to a frame too many. */
interface Boundary {
  readonly offset: number;
  readonly samples: number;
}

/**
 * Cuts a file that consists of frames between them.
 * @param windowSeconds least length of each window but the last
 * @param warmUpSeconds least length that each window but the first repeats from the one before
 */
export async function* frameWindows(
  file: Blob,
  container: FramedContainer,
  { windowSeconds, warmUpSeconds }: { readonly windowSeconds: number; readonly warmUpSeconds: number },
): AsyncGenerator<FrameWindow> {
  const bytes = new ByteReader(file);
  const { headBytes, sampleRate, frameAt } = await frameReader(bytes, container);
  const head = file.slice(0, headBytes);
  const getWindow = (start: Boundary, warm: Boundary, end: number): FrameWindow => ({
    file: new Blob([head, file.slice(warm.offset, end)]),
    startSeconds: start.samples / sampleRate,
    warmUpSeconds: (start.samples - warm.samples) / sampleRate,
  });
  let here: Boundary = { offset: headBytes, samples: 0 };
  let [start, warm, nextWarm] = [here, here, here];
  for (let frame = await frameAt(here.offset); frame; frame = await frameAt(here.offset)) {
    const seconds = (here.samples - start.samples) / sampleRate;
    const isCut = frame.isStart ?? frame.samples > 0;
    if (isCut && seconds <= windowSeconds - warmUpSeconds) nextWarm = here;
    if (isCut && seconds >= windowSeconds) {
      yield getWindow(start, warm, here.offset);
      [start, warm] = [here, nextWarm];
    }
    here = { offset: here.offset + frame.bytes, samples: here.samples + frame.samples };
  }
  if (here.offset > start.offset) yield getWindow(start, warm, here.offset);
}

interface FrameReader {
  readonly headBytes: number;
  readonly sampleRate: number;
  /** Reads the frame at an offset, or null at the end and in place of a damaged frame. */
  frameAt(offset: number): Promise<Frame | null>;
}

function frameReader(bytes: ByteReader, container: FramedContainer): Promise<FrameReader> {
  return container === 'amr' ? amrFrameReader(bytes) : rawFrameReader(bytes, FRAME_READERS[container]);
}

async function amrFrameReader(bytes: ByteReader): Promise<FrameReader> {
  const { headBytes, sampleRate, frameBytes } = await readAmrLayout(bytes);
  return {
    headBytes,
    sampleRate,
    async frameAt(offset) {
      const [first] = await bytes.read(offset, 1);
      const size = first === undefined ? 0 : frameBytes(first);
      return size === 0 || offset + size > bytes.size ? null : { bytes: size, samples: sampleRate / 50 };
    },
  };
}

async function rawFrameReader(bytes: ByteReader, open: OpenFrames): Promise<FrameReader> {
  const read = open();
  const { sampleRate = 1 } = read(await bytes.read(0, FRAME_HEAD_BYTES)) ?? {};
  return {
    headBytes: 0,
    sampleRate,
    async frameAt(offset) {
      const frame = read(await bytes.read(offset, FRAME_HEAD_BYTES));
      return !frame || offset + frame.bytes > bytes.size ? null : frame;
    },
  };
}

/** Bytes of a frame with its head, by frame type: RFC 4867, 5.3 and 3GPP TS 26.101, 26.201. */
const NARROW = [13, 14, 16, 18, 20, 21, 27, 32, 6, 6, 6, 6, 0, 0, 0, 1];
const WIDE = [18, 24, 33, 37, 41, 47, 51, 59, 61, 6, 0, 0, 0, 0, 1, 1];

/** Offset of an AMR file's first frame, and the size of each. */
interface AmrLayout {
  readonly headBytes: number;
  readonly sampleRate: 8000 | 16_000;
  /** Returns a frame's size by its first byte; 0 for types that do not exist. */
  frameBytes(head: number): number;
}

/** Distinguishes narrow-band from wide-band files by their first line. */
async function readAmrLayout(bytes: ByteReader): Promise<AmrLayout> {
  const head = String.fromCharCode(...(await bytes.read(0, 9)));
  const isWide = head.startsWith('#!AMR-WB\n');
  const sizes = isWide ? WIDE : NARROW;
  return {
    headBytes: isWide ? 9 : 6,
    sampleRate: isWide ? 16_000 : 8000,
    frameBytes: (first) => sizes[(first >> 3) & 15],
  };
}
