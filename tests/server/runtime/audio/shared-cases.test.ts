// @module-tag long

import { openAsBlob } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { getMessages } from '../../../../models/core/runtime/run-warnings.ts';
import { probeVideo } from '../../../../models/media/containers/video-header.ts';
import { serverAudio } from '../../../support/media/audio.ts';
import { sharedData } from '../../../support/media/shared-data.ts';
import { readVideo } from '../../../support/media/videos.ts';

const CASES = sharedData('cases/media');
const { signal } = new AbortController();

/** Sounds of reported problems, with their lengths in seconds. Their twins are in the tests of each kind. */
const SOUNDS: readonly (readonly [name: string, seconds: number, warning: RegExp | null])[] = [
  ['aac-4.0-centre.m4a', 18.578, null],
  ['alac.mov', 6.016, null],
  ['chained-opus.ogg', 18.578, null],
  ['damaged-stretch.m4a', 18.578, /is damaged: 0\.1 s could not be read and are silent, from 4\.9 to 5\.0 s/],
  ['gsm.wav', 18.578, null],
  ['hls-video-segment.mp4', 2.219, null],
  ['ima-adpcm.wav', 18.578, null],
  ['mp3-mid-frame.mp3', 18.599, null],
  ['opus.caf', 18.6, null],
  ['silent-track-first.mkv', 18.538, /has 2 audio tracks\. Only number 2 was used/],
  ['sound-from-40s.mp4', 20.011, null],
  ['sound-gap.mp4', 6, null],
  ['trimmed-sound-3s-4s.mp4', 4, null],
  ['trimmed-video-2s-6s.mp4', 6, null],
  ['video-from-20s.mkv', 6.038, null],
];

/** Videos, with their lengths in seconds and numbers of frames. */
const VIDEOS: readonly (readonly [name: string, seconds: number, frames: number])[] = [
  ['alac.mov', 6.016, 150],
  ['hls-video-segment.mp4', 2.281, 55],
  ['interlaced.mp4', 2, 50],
  ['sound-gap.mp4', 6, 150],
  ['trimmed-sound-3s-4s.mp4', 4, 100],
  ['trimmed-video-2s-6s.mp4', 6, 150],
  ['video-from-20s.mkv', 6.021, 150],
];

describe.skipIf(CASES.isMissing)(CASES.titled('files of reported problems'), () => {
  test.each(SOUNDS)('the sound of %s is whole', async (name, seconds, warning) => {
    const audio = await serverAudio.decode(await openAsBlob(`${CASES.path}/${name}`), {
      sampleRate: 16_000,
      channelCount: 1,
      signal,
    });
    let [frames, power] = [0, 0];
    for await (const [samples] of audio.chunks()) {
      frames += samples?.length ?? 0;
      power += samples?.reduce((sum, sample) => sum + sample * sample, 0) ?? 0;
    }
    expect(audio.facts.durationSeconds).toBeCloseTo(seconds, 2);
    expect(frames / 16_000).toBeCloseTo(seconds, 2);
    expect(Math.sqrt(power / frames)).toBeGreaterThan(0.02);
    expect(getMessages(audio.warnings())).toEqual(warning ? [expect.stringMatching(warning)] : []);
  });

  test.each(VIDEOS)('the pictures of %s are whole', async (name, seconds, count) => {
    const input = await openAsBlob(`${CASES.path}/${name}`);
    expect((await probeVideo(input, { secondsMax: 60 })).durationSeconds).toBeCloseTo(seconds, 2);
    const { frames, warnings } = await readVideo(input);
    expect(frames).toHaveLength(count);
    expect(warnings).toEqual([]);
  });
});
