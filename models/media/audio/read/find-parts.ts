import { OperationError } from '../../../core/operation/errors.ts';
import type { AudioContainer, AudioProbeOptions } from '../../../core/runtime/audio-codec.ts';
import { assertNotEmpty } from '../../bytes/byte-window.ts';
import { type AmrLayout, readAmrLayout } from '../formats/amr.ts';
import { SIGNATURE_BYTES } from '../formats/audio-container.ts';
import { ByteReader } from '../formats/byte-reader.ts';
import { readPesPacket } from '../formats/elementary-stream.ts';
import type { ReadFrameHead } from '../formats/mp3.ts';
import { searchBlocks } from '../formats/search-blocks.ts';
import { getTransportLayout, PACKET_BYTES, SYNC } from '../formats/transport-stream.ts';
import { type AudioPart, PARTS_MAX, type SplitAudio, splitAt, wholeFile } from '../parts/audio-part.ts';
import { findFrameRuns, joinFrameRuns } from '../parts/frame-runs.ts';
import { splitIso, splitMatroska } from '../parts/split-containers.ts';
import { splitDeclared } from '../parts/split-declared.ts';
import { splitFlac } from '../parts/split-flac.ts';
import { splitFlv } from '../parts/split-flv.ts';
import { type FrameContainer, findAudio, splitFrames } from '../parts/split-frames.ts';
import { splitOgg } from '../parts/split-ogg.ts';
import { StreamTimes, splitProgram } from '../parts/split-program.ts';
import { splitWavPack } from '../parts/split-wavpack.ts';

/** `#!AMR`, with which a file begins: bytes of frames hold it once in a trillion. */
const MARK = [0x23, 0x21, 0x41, 0x4d, 0x52] as const;

/** Frames in a row that tell them from other bytes: one byte in ten looks like the head of a frame. */
const CONFIRMING_FRAMES = 8;

/** Runs of frames of one file that are visited. */
const RUNS_MAX = 20_000;

/** Bits of the first byte of a frame that are always 0: RFC 4867, 5.3. */
const PADDING_BITS = 0x83;

const FRAMES_A_SECOND = 50;

/** Bytes in which the layout of a file shows. */
const HEAD_BYTES = 1024;

/** Packets that are read at once. */
const BLOCK_PACKETS = 5_000;

class StepFinder {
  /** Offsets of the second file and those after it. */
  readonly starts: number[] = [];
  /** Whether there is no packet where one should be. */
  isDamaged = false;
  readonly #times = new StreamTimes<number>();
  #tableAt: number;

  constructor(start: number) {
    this.#tableAt = start;
  }

  add(packet: Uint8Array, offset: number): void {
    const [sync, second = 0, third = 0, fourth = 0, adaptationBytes = 0] = packet;
    this.isDamaged ||= sync !== SYNC;
    if (sync !== SYNC) return;
    // Only the start of a stream's packet has a time, and that of a table its head.
    if (!(second & 0x40) || !(fourth & 0x10)) return;
    const pid = ((second & 0x1f) << 8) | third;
    if (pid === 0) this.#tableAt = offset;
    const pes = readPesPacket(packet.subarray(fourth & 0x20 ? 5 + adaptationBytes : 4));
    const isAudio = pes && (pes.streamId < 0xe0 || pes.streamId === 0xfd);
    if (!isAudio || pes.time === null) return;
    const isJoined = this.#times.add(pid, pes.time);
    if (isJoined && this.#tableAt > (this.starts.at(-1) ?? 0)) this.starts.push(this.#tableAt);
  }
}

type Split = (file: Blob, bytes: ByteReader) => Promise<SplitAudio>;

const SPLITTERS: Partial<Record<AudioContainer, Split>> = {
  mp3: getSplitter('mp3'),
  aac: getSplitter('aac'),
  ac3: getSplitter('ac3'),
  mp2: getSplitter('mp2'),
  dts: getSplitter('dts'),
  truehd: getSplitter('truehd'),
  ogg: splitOgg,
  flac: splitFlac,
  wav: (file, bytes) => splitDeclared(file, bytes, 'wav'),
  aiff: (file, bytes) => splitDeclared(file, bytes, 'aiff'),
  w64: (file, bytes) => splitDeclared(file, bytes, 'w64'),
  au: (file, bytes) => splitDeclared(file, bytes, 'au'),
  avi: (file, bytes) => splitDeclared(file, bytes, 'avi'),
  caf: (file, bytes) => splitDeclared(file, bytes, 'caf'),
  mp4: splitIso,
  mov: splitIso,
  webm: splitMatroska,
  mkv: splitMatroska,
  mpegts: splitTransport,
  mpeg: splitProgram,
  tta: (file, bytes) => splitDeclared(file, bytes, 'tta'),
  ape: (file, bytes) => splitDeclared(file, bytes, 'ape'),
  asf: (file, bytes) => splitDeclared(file, bytes, 'asf'),
  amr: splitAmr,
  wavpack: splitWavPack,
  flv: splitFlv,
};

/** Formats that are not read, by their first bytes. */
const FORMATS: readonly (readonly [name: string, ...marks: string[]])[] = [
  // FFmpeg and mediabunny read their samples as noise.
  ['a big-endian WAV file (RIFX)', 'RIFX'],
  ['a TAK file', 'tBaK'],
  ['a Musepack file', 'MPCK', 'MP+'],
  ['an OptimFROG file', 'OFR '],
  ['a Shorten file', 'ajkg'],
  ['a RealMedia file', '.RMF', '.ra\xfd'],
  ['a Creative Voice file', 'Creative Voice File'],
  ['a DSD file', 'DSD ', 'FRM8'],
  ['an MXF file', '\x06\x0e\x2b\x34'],
  ['AAC in a LOAS stream', '\x56\xe0', '\x56\xe1', '\x56\xe2', '\x56\xe3'],
  ['an AMR file of several channels', '#!AMR_MC', '#!AMR-WB_MC'],
  ['a MIDI file', 'MThd'],
  ['a Silk file', '#!SILK', '\x02#!SILK'],
  ['an HLS playlist', '#EXTM3U', '\xef\xbb\xbf#EXTM3U'],
  ['a PDF document', '%PDF'],
  ['a ZIP archive', 'PK\x03\x04'],
  ['a web page', '<!DOCTYPE', '<!doctype', '<html', '<HTML'],
];

const MARK_BYTES = 64;

/** Parts of an audio file, whose tracks are not opened yet. */
export interface FoundParts extends SplitAudio {
  readonly container: AudioContainer;
}

/**
 * Recognizes a file by its bytes, and finds its parts.
 * @throws OperationError `bad_request` when it is empty, too large, or of no known format
 */
export async function findParts(
  file: Blob,
  { bytesMax = Number.POSITIVE_INFINITY, signal }: Pick<AudioProbeOptions, 'bytesMax' | 'signal'>,
): Promise<FoundParts> {
  if (file.size > bytesMax) {
    const megabytes = (bytes: number) => `${Math.ceil(bytes / 100_000) / 10} MB`;
    throw new OperationError(
      'bad_request',
      `The file has ${megabytes(file.size)}. At most ${megabytes(bytesMax)} are allowed.`,
    );
  }
  assertNotEmpty(file, 'audio file');
  const found = await findAudio(file, signal);
  if (!found) throw unknownFormat(new Uint8Array(await file.slice(0, SIGNATURE_BYTES).arrayBuffer()));
  const { container } = found;
  return { container, ...(await splitAudio(found.file, container, signal)) };
}

/** Creates the error for a file that is of no format that is read; it names the format where it can be told. */
function unknownFormat(head: Uint8Array): OperationError {
  const text = String.fromCharCode(...head.subarray(0, MARK_BYTES));
  const [name] = FORMATS.find(([, ...marks]) => marks.some((mark) => text.startsWith(mark))) ?? [];
  const fault = name
    ? `The file is ${name}, which is not supported.`
    : 'The file is of no known audio or video format.';
  return new OperationError('bad_request', `${fault} Send an MP3, WAV, FLAC, M4A, OGG, WebM or MP4 file.`, {
    kind: 'unknown_format',
  });
}

function getSplitter(container: FrameContainer): Split {
  return (file, bytes) => splitFrames(file, bytes, container);
}

/**
 * Splits a file into parts that are files of their own: the links of a chain, files that were joined, and what is
 * between damaged stretches. Bytes before the first part are left out.
 */
export async function splitAudio(
  file: Blob,
  container: AudioContainer,
  signal: AbortSignal | undefined,
): Promise<SplitAudio> {
  const split = SPLITTERS[container];
  return split ? await split(file, new ByteReader(file, signal)) : wholeFile(file);
}

/**
 * Splits MPEG transport streams that were joined: where the times of audio go back, another begins with its last
 * program table (ISO 13818-1, 2.4.4) before. Times that only jump ahead are a gap of one recording.
 */
async function splitTransport(file: Blob, bytes: ByteReader): Promise<SplitAudio> {
  const layout = getTransportLayout(await bytes.read(0, HEAD_BYTES));
  const starts = [0];
  let isDamaged = false;
  if (layout) {
    const { start, step } = layout;
    const walker = new StepFinder(start - (step - PACKET_BYTES));
    for (let at = start; at < bytes.size && walker.starts.length <= PARTS_MAX; at += BLOCK_PACKETS * step) {
      const block = await bytes.read(at, BLOCK_PACKETS * step);
      for (let packet = 0; packet + PACKET_BYTES <= block.length; packet += step) {
        walker.add(block.subarray(packet, packet + PACKET_BYTES), at + packet - (step - PACKET_BYTES));
      }
    }
    starts.push(...walker.starts);
    isDamaged = walker.isDamaged;
  }
  return splitAt(file, starts, isDamaged);
}

/** Splits AMR files that were joined, and each of them where it is damaged. */
async function splitAmr(file: Blob, bytes: ByteReader): Promise<SplitAudio> {
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
