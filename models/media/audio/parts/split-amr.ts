import { type AmrLayout, readAmrLayout } from '../formats/amr.ts';
import { ByteReader } from '../formats/byte-reader.ts';
import { searchBlocks } from '../formats/search-blocks.ts';
import type { ReadFrameHead } from '../mp3/frame-head.ts';
import { type AudioPart, PARTS_MAX, type SplitAudio } from './audio-part.ts';
import { findFrameRuns } from './find-frame-runs.ts';
import { joinFrameRuns } from './join-frame-runs.ts';

/** `#!AMR`, with which a file begins: bytes of frames hold it once in a million million. */
const MARK = [0x23, 0x21, 0x41, 0x4d, 0x52] as const;
/** Frames in a row that tell them from other bytes: one byte in ten looks like the head of a frame. */
const CONFIRMING_FRAMES = 8;
/** Runs of frames of one file that are visited. */
const RUNS_MAX = 20_000;

/** Bits of the first byte of a frame that are always 0: RFC 4867, 5.3. */
const PADDING_BITS = 0x83;
const FRAMES_A_SECOND = 50;

/** Splits AMR files that were joined, and each of them where it is damaged. */
export async function splitAmr(file: Blob, bytes: ByteReader): Promise<SplitAudio> {
  const starts = await findMarks(bytes);
  const parts: AudioPart[] = [];
  let isCutOff = false;
  for (const [at, start] of starts.entries()) {
    const one = await splitOne(file.slice(start, starts[at + 1] ?? file.size));
    parts.push(...one.parts);
    isCutOff = one.isCutOff;
  }
  return { parts: parts.slice(0, PARTS_MAX), isCutOff: isCutOff || parts.length > PARTS_MAX };
}

async function splitOne(file: Blob): Promise<SplitAudio> {
  const bytes = new ByteReader(file);
  const layout = await readAmrLayout(bytes);
  const body = file.slice(layout.headBytes);
  const limits = { startMax: body.size, runsMax: RUNS_MAX, confirmingFrames: CONFIRMING_FRAMES };
  const { runs, strayBytes } = await findFrameRuns(new ByteReader(body), amrHeadReader(layout), limits);
  const parts = await joinFrameRuns(body, runs, file.slice(0, layout.headBytes));
  // Readers of the file name its fault.
  if (parts.length === 0) return { parts: [{ file, position: 'next' }], isCutOff: false };
  // Nothing but frames belongs into the file: what is behind the last one is the start of another.
  return { parts, isCutOff: strayBytes > 0 };
}

/** Returns the places at which files begin, at most one more than parts are kept. */
async function findMarks(bytes: ByteReader): Promise<readonly number[]> {
  const starts: number[] = [];
  for await (const block of searchBlocks(bytes, 0, bytes.size, MARK.length)) {
    for (let at = block.bytes.indexOf(MARK[0]); at >= 0; at = block.bytes.indexOf(MARK[0], at + 1)) {
      const isMark = at < block.length && MARK.every((byte, index) => block.bytes[at + index] === byte);
      if (isMark && starts.push(block.start + at) > PARTS_MAX) return starts;
    }
  }
  return starts;
}

/** Returns a reader of frames amid other bytes. Zeros look like frames of the lowest rate that are marked as bad. */
function amrHeadReader({ sampleRate, frameBytes }: AmrLayout): ReadFrameHead {
  return (bytes, at) => {
    const first = bytes[at] ?? 0;
    const size = frameBytes(first);
    if (size === 0 || (first & PADDING_BITS) !== 0) return null;
    if (first === 0 && bytes.subarray(at, at + size).every((byte) => byte === 0)) return null;
    return { bytes: size, samples: sampleRate / FRAMES_A_SECOND, sampleRate, kind: sampleRate };
  };
}
