import { writeWavHeader } from '../../../models/media/audio/write-audio.ts';

const SAMPLE_RATE = 44_100;

/** Returns a WAV file of one tone, in stereo. */
export function createToneWav(hertz: number, seconds: number): Buffer {
  const frames = seconds * SAMPLE_RATE;
  const samples = new Int16Array(frames * 2);
  for (let at = 0; at < samples.length; at++) {
    samples[at] = 12_000 * Math.sin((2 * Math.PI * hertz * (at >> 1)) / SAMPLE_RATE);
  }
  const header = writeWavHeader({ sampleRate: SAMPLE_RATE, channelCount: 2 }, samples.byteLength);
  return Buffer.concat([header, Buffer.from(samples.buffer)]);
}
