// @module-tag long

import { openAsBlob } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { decodeSamples, serverAudio } from '../../../support/media/audio.ts';
import { sharedData } from '../../../support/media/shared-data.ts';

const SHARED = sharedData('data');

/** Path, rate, channels, and length in seconds to two decimals, all from the manifest of the data. */
const FILES: [string, number, number, number][] = [
  ['diarization/nospeech/mdn_viper_music.mp3', 44_100, 2, 40.93],
  ['diarization/pyannote_sample/sample.wav', 16_000, 1, 30],
  ['diarization/ina/lamartine.wav', 16_000, 1, 14.64],
  ['diarization/pyaudioanalysis/diarizationExample2.wav', 16_000, 1, 22.3],
  ['stems/waveform_playlist/Vocals30.mp3', 48_000, 2, 30.02],
  ['stems/evr_lithium/mixture.flac', 44_100, 2, 20],
  ['video/mediabunny/edts.mp4', 44_100, 2, 9],
  ['video/mediabunny/ac3.mp4', 48_000, 6, 2.02],
];
/** The longest frame among them, AC-3's: 1536 samples at 48 kHz. */
const FRAME_SECONDS = 0.032;

/** Files from other encoders. The twin is audio.test.ts, with small files of our own. */
describe.skipIf(SHARED.isMissing)(SHARED.titled('audio of other encoders'), { timeout: 120_000 }, () => {
  test.each(FILES)('%s is as long as the manifest says', async (path, sampleRate, channelCount, seconds) => {
    const input = await openAsBlob(resolve(SHARED.path, path));
    expect(await serverAudio.probe(input, {})).toMatchObject({ sampleRate, channelCount });
    for (const shape of [
      { sampleRate: 16_000, channelCount: 1 },
      { sampleRate: 44_100, channelCount: 2 },
    ] as const) {
      const channels = await decodeSamples(input, shape);
      expect(channels).toHaveLength(shape.channelCount);
      for (const samples of channels) {
        expect(Math.abs(samples.length / shape.sampleRate - seconds)).toBeLessThan(FRAME_SECONDS);
        expect(samples.some((sample) => Math.abs(sample) > 1e-4)).toBe(true);
        expect(samples.every(Number.isFinite)).toBe(true);
      }
    }
  });
});
