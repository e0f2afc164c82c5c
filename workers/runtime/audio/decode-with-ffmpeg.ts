import type { FFmpeg } from '@ffmpeg/ffmpeg';
import { ffmpegDemuxer } from '../../../models/files/audio/formats/ffmpeg-demuxers.ts';
import {
  type FramedContainer,
  frameWindows,
  isFramed,
} from '../../../models/files/audio/formats/frame-windows.ts';
import { findOverlap } from '../../../models/kernels/audio/find-overlap.ts';
import { OperationError } from '../../../models/operation/errors.ts';
import type { AudioFacts } from '../../../models/runtime/audio-facts.ts';
import { frameCountOf, type PcmPiece } from '../../../models/runtime/pcm.ts';
import type { Loading } from '../loading/assets.ts';
import { loadFfmpeg } from './load-ffmpeg.ts';

/** Length that one run of FFmpeg decodes. Its output is in memory: 46 MB of stereo at 48 kHz. */
const WINDOW_SECONDS = 120;
/** Length that is decoded before each window and left out: codecs predict samples from earlier ones. */
const WARM_UP_SECONDS = 2;
const FOLDER = '/input';
const NAME = 'audio';
const OUTPUT = 'samples';
/** More threads have crashed this build. */
const ONE_THREAD = ['-threads', '1'];

/** Samples by which two windows are joined. */
const OVERLAP_SAMPLES = 4096;
/** Difference between the times of packets and the count of samples, at most. */
const OFFSET_SECONDS_MAX = 0.25;

type Samples = Float32Array<ArrayBuffer>[];

/** Samples of a part. Those before damage are there, too. */
interface DecodedPart {
  readonly channels: Samples;
  readonly damage: OperationError | null;
}

/** Part of a file that one run of FFmpeg decodes. */
interface Part {
  readonly file: Blob;
  readonly seekSeconds: number;
  /** Length to decode; the rest of `file` when null. */
  readonly lengthSeconds: number | null;
}

/**
 * Decodes the audio of a file that the browser cannot decode by itself, in windows of two minutes. ffmpeg.wasm reads
 * the input without a copy, and writes samples to a file in memory.
 * @throws OperationError `unavailable` when ffmpeg.wasm cannot run on this page; `unprocessable` when samples are
 * corrupt
 */
export async function* decodeWithFfmpeg(
  input: Blob,
  facts: AudioFacts,
  endSeconds: number,
  loading: Loading,
): AsyncGenerator<PcmPiece> {
  const ffmpeg = await loadFfmpeg(loading, `Decoding ${facts.codec ?? facts.container}`);
  const end = () => ffmpeg.terminate();
  loading.signal.addEventListener('abort', end);
  try {
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
    for await (const channels of windows) {
      yield { timestampSeconds: frames / sampleRate, sampleRate, channels };
      frames += frameCountOf(channels);
    }
  } catch (thrown) {
    loading.signal.throwIfAborted();
    throw thrown;
  } finally {
    loading.signal.removeEventListener('abort', end);
    ffmpeg.terminate();
  }
}

/** Decodes a file without an index. It is cut between frames, since FFmpeg would guess the position. */
async function* framedWindows(
  file: Blob,
  container: FramedContainer,
  sampleRate: number,
  decode: (part: Part) => Promise<DecodedPart>,
): AsyncGenerator<Samples> {
  const lengths = { windowSeconds: WINDOW_SECONDS, warmUpSeconds: WARM_UP_SECONDS };
  for await (const window of frameWindows(file, container, lengths)) {
    const part = { file: window.file, seekSeconds: 0, lengthSeconds: null };
    const { channels, damage } = await decode(part);
    const warmUp = Math.round(window.warmUpSeconds * sampleRate);
    yield channels.map((samples) => samples.slice(warmUp));
    if (damage) throw damage;
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
): AsyncGenerator<Samples> {
  let tail = new Float32Array(0);
  for (let frames = 0; frames < endSeconds * sampleRate; ) {
    const startSeconds = frames / sampleRate;
    const seekSeconds = Math.max(0, startSeconds - WARM_UP_SECONDS);
    const lengthSeconds = startSeconds - seekSeconds + WINDOW_SECONDS;
    const { channels, damage } = await decode({ file, seekSeconds, lengthSeconds });
    const expected = Math.round((startSeconds - seekSeconds) * sampleRate) - tail.length;
    const range = Math.round(OFFSET_SECONDS_MAX * sampleRate);
    const [first = tail] = channels;
    const known = frames === 0 ? 0 : findOverlap(tail, first, expected, range) + tail.length;
    const window = channels.map((samples) => samples.slice(known));
    const count = frameCountOf(window);
    if (count > 0) yield window;
    if (damage) throw damage;
    if (count === 0) return;
    tail = (window[0] ?? tail).slice(-OVERLAP_SAMPLES);
    frames += count;
  }
}

async function decodePart(
  ffmpeg: FFmpeg,
  facts: AudioFacts,
  { file, seekSeconds, lengthSeconds }: Part,
): Promise<DecodedPart> {
  const { sampleRate } = facts;
  // FFmpeg knows which speakers the channels are for, and mixes them as `mixChannels` does.
  const channelCount = Math.min(2, facts.channelCount);
  await ffmpeg.mount('WORKERFS' as never, { blobs: [{ name: NAME, data: file }] }, FOLDER);
  let lastLine = '';
  const keepLine = ({ message }: { message: string }) => {
    lastLine = message;
  };
  ffmpeg.on('log', keepLine);
  const code = await ffmpeg.exec([
    ...['-v', 'error', '-xerror', '-filter_threads', '1', ...ONE_THREAD, '-f', ffmpegDemuxer(facts)],
    ...(seekSeconds > 0 ? ['-ss', seekSeconds.toFixed(6)] : []),
    ...['-i', `${FOLDER}/${NAME}`, '-map', `0:a:${(facts.track?.number ?? 1) - 1}`, ...ONE_THREAD],
    ...['-f', 'f32le', '-c:a', 'pcm_f32le'],
    ...(lengthSeconds === null ? [] : ['-t', lengthSeconds.toFixed(6)]),
    ...['-ar', String(sampleRate), '-ac', String(channelCount), OUTPUT],
  ]);
  ffmpeg.off('log', keepLine);
  const damage =
    code === 0
      ? null
      : new OperationError('unprocessable', 'The audio is damaged. Export it again.', { cause: lastLine });
  const bytes = await ffmpeg.readFile(OUTPUT).catch((thrown: unknown) => {
    throw damage ?? thrown;
  });
  await ffmpeg.deleteFile(OUTPUT);
  await ffmpeg.unmount(FOLDER);
  const whole = bytes.length - (bytes.length % (4 * channelCount));
  const samples = new Float32Array((bytes as Uint8Array<ArrayBuffer>).buffer, 0, whole / 4);
  return { channels: planesOf(samples, channelCount), damage };
}

function planesOf(interleaved: Float32Array, channelCount: number): Float32Array<ArrayBuffer>[] {
  const length = Math.floor(interleaved.length / channelCount);
  return Array.from({ length: channelCount }, (_, channel) => {
    const samples = new Float32Array(length);
    for (let at = 0, from = channel; at < length; at++, from += channelCount) {
      samples[at] = interleaved[from] as number;
    }
    return samples;
  });
}
