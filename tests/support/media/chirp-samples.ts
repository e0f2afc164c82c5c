import { getMessages } from '../../../models/core/runtime/run-warnings.ts';
import { decodeSamples, serverAudio, snr } from './audio.ts';
import { CHIRP_RATE } from './chirp-files.ts';

const SHAPE = { sampleRate: CHIRP_RATE, channelCount: 1, signal: new AbortController().signal } as const;

/** Decodes a file of one channel, whose parts follow each other. */
export async function decodeChirps(...parts: (Blob | Uint8Array<ArrayBuffer>)[]) {
  const audio = await serverAudio.decode(new Blob(parts), SHAPE);
  const samples: number[] = [];
  for await (const [chunk] of audio.chunks()) for (const sample of chunk ?? []) samples.push(sample);
  return {
    samples: Float32Array.from(samples),
    seconds: audio.facts.durationSeconds,
    warnings: getMessages(audio.warnings()),
  };
}

/** Part of samples, between two times in seconds. */
export const between = (samples: Float32Array, from: number, to: number) =>
  samples.subarray(Math.round(from * CHIRP_RATE), Math.round(to * CHIRP_RATE));

/** Best signal-to-noise ratio with a difference in time: Matroska's times are whole milliseconds. */
export function snrWithin(
  seconds: number,
  samples: Float32Array,
  others: Float32Array,
  [start, end]: readonly [number, number],
): number {
  const steps = Array.from({ length: 2 * seconds * CHIRP_RATE + 1 }, (_, at) => at / CHIRP_RATE - seconds);
  const expected = between(samples, start, end);
  return Math.max(...steps.map((step) => snr(expected, between(others, start + step, end + step))));
}

export const zeros = (length: number) => new Uint8Array(length);
export const ones = (length: number) => new Uint8Array(length).fill(255);
export const junk = (length: number) => Uint8Array.from({ length }, (_, at) => (at * 193 + (at >> 5)) % 251);

/** Decodes the samples of a file of one channel. */
export async function getSamples(file: Blob): Promise<Float32Array> {
  const [samples] = await decodeSamples(file, SHAPE);
  return samples ?? new Float32Array(0);
}

/** Decodes a file of one channel. @returns the messages of its warnings */
export async function getWarnings(file: Blob): Promise<readonly string[]> {
  return (await decodeChirps(file)).warnings;
}
