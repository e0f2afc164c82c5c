import type { FFmpeg } from '@ffmpeg/ffmpeg';
import { OperationError } from '../../../models/core/operation/errors.ts';
import {
  type AudioFacts,
  getFrameCount,
  type PcmChunk,
  type PcmPiece,
} from '../../../models/core/runtime/audio-codec.ts';
import {
  type FrameRange,
  fillGaps,
  findOverlap,
  type TimedFrames,
} from '../../../models/kernels/audio/fill-gaps.ts';
import {
  ffmpegDemuxer,
  hasChecksums,
  REFUSE_WRONG_CHECKSUMS,
} from '../../../models/media/audio/formats/ffmpeg-demuxers.ts';
import type { OpenedLink } from '../../../models/media/audio/read/decode-audio.ts';
import {
  type FramedContainer,
  frameWindows,
  isFramed,
} from '../../../models/media/audio/repair/frame-windows.ts';
import type { Loading } from '../assets.ts';
import { ONE_THREAD, readWithFfmpeg } from './load-ffmpeg.ts';

/** Longest part, with gaps that are filled. */
const PART_SECONDS_MAX = 150;

const FOLDER = '/input';

const NAME = 'audio';

const OUTPUT = 'samples';

/** Samples of a part, with silence in place of what could not be decoded. */
interface DecodedPart {
  readonly channels: PcmChunk;
  /** Silence in place of damaged samples. */
  readonly damaged: readonly FrameRange[];
  /** Error that has ended decoding early. */
  readonly fault: OperationError | null;
}

/** Part of a file that one run of FFmpeg decodes. */
interface Part {
  readonly file: Blob;
  readonly seekSeconds: number;
  /** Length to decode; the rest of `file` when null. */
  readonly lengthSeconds: number | null;
}

/** Line of FFmpeg's filter `ashowinfo` about decoded samples. */
const SAMPLES_LINE = /pts_time:(-?[\d.]+).* nb_samples:(\d+)/;

const FAULT_LINE = /\[(error|fatal)\]/;

/** Length that one run of FFmpeg decodes. Its output is in memory: 46 MB of stereo at 48 kHz. */
const WINDOW_SECONDS = 120;

/** Length that is decoded before each window and left out: codecs predict samples from earlier ones. */
const WARM_UP_SECONDS = 2;

/** Samples by which two windows are joined. */
const OVERLAP_SAMPLES = 4096;

/** Difference between the times of packets and the count of samples, at most. */
const OFFSET_SECONDS_MAX = 0.25;

/** Samples of a window that follow those of the window before. */
type Window = Pick<DecodedPart, 'channels' | 'damaged'>;

/**
 * Decodes the audio of a file that the browser cannot decode by itself, in windows of two minutes. ffmpeg.wasm reads
 * the input without a copy, and writes samples to a file in memory. Damaged stretches are silent, and marked.
 * @throws OperationError `unavailable` when ffmpeg.wasm cannot run on this page; `unprocessable` when samples are
 * corrupt
 */
export function decodeWithFfmpeg(
  { file: input, facts, endSeconds }: Omit<OpenedLink, 'track'>,
  loading: Loading,
): AsyncGenerator<PcmPiece> {
  return readWithFfmpeg(loading, `Decoding ${facts.codec ?? facts.container}`, async function* (ffmpeg) {
    await ffmpeg.createDir(FOLDER);
    const decode = (part: Part) => {
      loading.signal.throwIfAborted();
      return decodePart(ffmpeg, facts, part);
    };
    const { sampleRate, container } = facts;
    let frames = 0;
    const windows = isFramed(container)
      ? framedWindows(input, container, sampleRate, decode)
      : soughtWindows(input, sampleRate, endSeconds, decode);
    for await (const window of windows) {
      yield* getPieces(window, frames, sampleRate);
      frames += getFrameCount(window.channels);
    }
  });
}

/** Decodes a file without an index. It is cut between frames, since FFmpeg would guess the position. */
async function* framedWindows(
  file: Blob,
  container: FramedContainer,
  sampleRate: number,
  decode: (part: Part) => Promise<DecodedPart>,
): AsyncGenerator<Window> {
  const lengths = { windowSeconds: WINDOW_SECONDS, warmUpSeconds: WARM_UP_SECONDS };
  for await (const window of frameWindows(file, container, lengths)) {
    const part = { file: window.file, seekSeconds: 0, lengthSeconds: null };
    const decoded = await decode(part);
    yield windowFrom(decoded, Math.round(window.warmUpSeconds * sampleRate));
    if (decoded.fault) throw decoded.fault;
  }
}

/**
 * Decodes a file with an index. After a seek the times of some codecs (WMA) are off by a few frames, so each window is
 * joined to the one before by the samples that both contain.
 */
async function* soughtWindows(
  file: Blob,
  sampleRate: number,
  endSeconds: number,
  decode: (part: Part) => Promise<DecodedPart>,
): AsyncGenerator<Window> {
  let tail = new Float32Array(0);
  for (let frames = 0; frames < endSeconds * sampleRate; ) {
    const startSeconds = frames / sampleRate;
    const seekSeconds = Math.max(0, startSeconds - WARM_UP_SECONDS);
    const lengthSeconds = startSeconds - seekSeconds + WINDOW_SECONDS;
    const decoded = await decode({ file, seekSeconds, lengthSeconds });
    const expected = Math.round((startSeconds - seekSeconds) * sampleRate) - tail.length;
    const range = Math.round(OFFSET_SECONDS_MAX * sampleRate);
    const [first = tail] = decoded.channels;
    const known = frames === 0 ? 0 : findOverlap(tail, first, expected, range) + tail.length;
    const window = windowFrom(decoded, known);
    const count = getFrameCount(window.channels);
    if (count > 0) yield window;
    if (decoded.fault) throw decoded.fault;
    if (count === 0) return;
    tail = (window.channels[0] ?? tail).slice(-OVERLAP_SAMPLES);
    frames += count;
  }
}

/** Leaves out the first samples of a part. */
function windowFrom({ channels, damaged }: DecodedPart, first: number): Window {
  return {
    channels: channels.map((samples) => samples.slice(first)),
    damaged: damaged
      .filter(({ to }) => to > first)
      .map(({ from, to }) => ({ from: Math.max(0, from - first), to: to - first })),
  };
}

/** Divides a window into pieces, of which those of damaged samples are marked. */
function* getPieces(
  { channels, damaged }: Window,
  startFrame: number,
  sampleRate: number,
): Generator<PcmPiece> {
  const end = getFrameCount(channels);
  const getPiece = (from: number, to: number): PcmPiece => ({
    timestampSeconds: (startFrame + from) / sampleRate,
    sampleRate,
    channels: channels.map((samples) => samples.subarray(from, to)),
  });
  let at = 0;
  for (const { from, to } of damaged) {
    if (from > at) yield getPiece(at, from);
    yield { ...getPiece(from, to), isDamaged: true };
    at = to;
  }
  if (end > at) yield getPiece(at, end);
}

/**
 * Decodes a part with one run of FFmpeg. What cannot be decoded becomes silence of its length.
 * @throws OperationError `unprocessable` when nothing can be decoded
 */
async function decodePart(
  ffmpeg: FFmpeg,
  facts: AudioFacts,
  { file, seekSeconds, lengthSeconds }: Part,
): Promise<DecodedPart> {
  const { sampleRate } = facts;
  // FFmpeg knows which speakers the channels are for, and mixes them as `mixChannels` does. It guesses those of AAC
  // that lists its channels one by one.
  const channelCount = facts.codec === 'aac' ? facts.channelCount : Math.min(2, facts.channelCount);
  await ffmpeg.mount('WORKERFS' as never, { blobs: [{ name: NAME, data: file }] }, FOLDER);
  const stretches: TimedFrames[] = [];
  let faultLine: string | null = null;
  const readLine = ({ message }: { message: string }) => {
    const [, seconds, frames] = SAMPLES_LINE.exec(message) ?? [];
    if (frames !== undefined) stretches.push({ seconds: Number(seconds), frames: Number(frames) });
    else if (FAULT_LINE.test(message)) faultLine = message;
  };
  ffmpeg.on('log', readLine);
  const demuxer = ffmpegDemuxer(facts);
  const code = await ffmpeg.exec([
    ...['-v', 'level+info', '-nostats', '-filter_threads', '1', ...ONE_THREAD, '-f', demuxer],
    ...(hasChecksums(demuxer) ? ['-err_detect', REFUSE_WRONG_CHECKSUMS] : []),
    ...(seekSeconds > 0 ? ['-ss', seekSeconds.toFixed(6)] : []),
    ...['-i', `${FOLDER}/${NAME}`, '-map', `0:a:${(facts.track?.number ?? 1) - 1}`, ...ONE_THREAD],
    ...['-af', `aresample=${sampleRate},ashowinfo`, '-f', 'f32le', '-c:a', 'pcm_f32le'],
    ...(lengthSeconds === null ? [] : ['-t', lengthSeconds.toFixed(6)]),
    ...['-ar', String(sampleRate), '-ac', String(channelCount), OUTPUT],
  ]);
  ffmpeg.off('log', readLine);
  const fault =
    code === 0
      ? null
      : new OperationError('unprocessable', 'The audio is damaged. Export it again.', { cause: faultLine });
  const bytes = await ffmpeg.readFile(OUTPUT).catch((thrown: unknown) => {
    throw fault ?? thrown;
  });
  await ffmpeg.deleteFile(OUTPUT);
  await ffmpeg.unmount(FOLDER);
  const whole = bytes.length - (bytes.length % (4 * channelCount));
  const samples = new Float32Array((bytes as Uint8Array<ArrayBuffer>).buffer, 0, whole / 4);
  const framesMax = Math.max(samples.length / channelCount, PART_SECONDS_MAX * sampleRate);
  const { channels, gaps } = fillGaps(getPlanes(samples, channelCount), stretches, sampleRate, framesMax);
  return { channels, damaged: faultLine === null ? [] : gaps, fault };
}

function getPlanes(interleaved: Float32Array, channelCount: number): Float32Array<ArrayBuffer>[] {
  const length = Math.floor(interleaved.length / channelCount);
  return Array.from({ length: channelCount }, (_, channel) => {
    const samples = new Float32Array(length);
    for (let at = 0, from = channel; at < length; at++, from += channelCount) {
      samples[at] = interleaved[from];
    }
    return samples;
  });
}
