import { openAsBlob } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import type { AudioDecodeOptions, PcmChunk } from '../../../models/core/runtime/audio-codec.ts';
import { int16Samples, writeWavHeader } from '../../../models/media/audio/write-audio.ts';
import { createNodeRuntime } from '../../../server/runtime/node-runtime.ts';

const never = new AbortController().signal;

/** Audio codec of the server. */
export const { audio: serverAudio } = createNodeRuntime({ signal: never, scratchDirectory: tmpdir() });

export function audioFixture(name: string): Promise<Blob> {
  return openAsBlob(resolve(import.meta.dirname, '../../fixtures/audio', name));
}

/** Writes a WAV of 16 bits. */
export function getWav(channels: readonly Float32Array<ArrayBuffer>[], sampleRate: number): Blob {
  const data = int16Samples([...channels]);
  return new Blob([writeWavHeader({ sampleRate, channelCount: channels.length }, data.length), data]);
}

/** Reads the mix of a file's channels. */
export async function readMono(path: string, sampleRate: number): Promise<Float32Array<ArrayBuffer>> {
  const [samples] = await decodeSamples(await openAsBlob(path), { sampleRate, channelCount: 1 });
  return Float32Array.from(samples ?? []);
}

/** Decodes a file on the server: all samples of each channel. */
export async function decodeSamples(
  input: Blob,
  options: Omit<AudioDecodeOptions, 'signal'>,
): Promise<Float32Array[]> {
  const audio = await serverAudio.decode(input, { ...options, signal: never });
  const chunks: PcmChunk[] = [];
  for await (const chunk of audio.chunks()) chunks.push(chunk);
  return Array.from({ length: options.channelCount }, (_, channel) =>
    joined(chunks.map((chunk) => chunk[channel] as Float32Array)),
  );
}

function joined(parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Signal-to-noise ratio in dB, over the samples that both have. */
export function snr(signal: Float32Array, other: Float32Array): number {
  let [power, noise] = [0, 0];
  for (let at = 0; at < Math.min(signal.length, other.length); at++) {
    power += (signal[at] as number) ** 2;
    noise += ((signal[at] as number) - (other[at] as number)) ** 2;
  }
  return 10 * Math.log10(power / noise);
}

/** Level of `other` over that of `signal`, in dB: their mean power over the middle half. */
export function levelChange(signal: Float32Array, other: Float32Array): number {
  return 10 * Math.log10(middlePower(other) / middlePower(signal));
}

function middlePower(samples: Float32Array): number {
  const middle = samples.subarray(samples.length / 4, (samples.length * 3) / 4);
  return middle.reduce((sum, sample) => sum + sample * sample, 0) / middle.length;
}
