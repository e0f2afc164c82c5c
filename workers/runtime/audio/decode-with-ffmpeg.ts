import { frameCountOf, type PcmPiece } from '../../../models/core/runtime/pcm.ts';
import { findOverlap } from '../../../models/kernels/audio/find-overlap.ts';
import {
  type FramedContainer,
  frameWindows,
  isFramed,
} from '../../../models/media/audio/formats/frame-windows.ts';
import type { OpenedLink } from '../../../models/media/audio/read/decode-audio.ts';
import { readWithFfmpeg } from '../ffmpeg/read-with-ffmpeg.ts';
import type { Loading } from '../loading/assets.ts';
import { type DecodedPart, decodePart, FOLDER, type Part } from './decode-part.ts';

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
  { file: input, facts, endSeconds, isRepaired }: Omit<OpenedLink, 'track'>,
  loading: Loading,
): AsyncGenerator<PcmPiece> {
  return readWithFfmpeg(loading, `Decoding ${facts.codec ?? facts.container}`, async function* (ffmpeg) {
    await ffmpeg.createDir(FOLDER);
    const decode = (part: Part) => {
      loading.signal.throwIfAborted();
      return decodePart(ffmpeg, { facts, areGapsDamage: isRepaired }, part);
    };
    const { sampleRate, container } = facts;
    let frames = 0;
    const windows = isFramed(container)
      ? framedWindows(input, container, sampleRate, decode)
      : soughtWindows(input, sampleRate, endSeconds, decode);
    for await (const window of windows) {
      yield* piecesOf(window, frames, sampleRate);
      frames += frameCountOf(window.channels);
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
    const count = frameCountOf(window.channels);
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
function* piecesOf(
  { channels, damaged }: Window,
  startFrame: number,
  sampleRate: number,
): Generator<PcmPiece> {
  const end = frameCountOf(channels);
  const pieceOf = (from: number, to: number): PcmPiece => ({
    timestampSeconds: (startFrame + from) / sampleRate,
    sampleRate,
    channels: channels.map((samples) => samples.subarray(from, to)),
  });
  let at = 0;
  for (const { from, to } of damaged) {
    if (from > at) yield pieceOf(at, from);
    yield { ...pieceOf(from, to), isDamaged: true };
    at = to;
  }
  if (end > at) yield pieceOf(at, end);
}
