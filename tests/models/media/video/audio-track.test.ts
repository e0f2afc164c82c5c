import { BufferTarget, Output, WebMOutputFormat } from 'mediabunny';
import { expect, test } from 'vitest';
import { OperationError } from '../../../../models/core/operation/errors.ts';
import { messagesOf } from '../../../../models/core/runtime/run-warnings.ts';
import { type AudioTranscoder, addAudioTrack } from '../../../../models/media/video/audio-track.ts';
import { serverAudio } from '../../../support/media/audio.ts';
import { videoFixture } from '../../../support/media/videos.ts';

const { signal } = new AbortController();

/** The warnings about AAC for WebM, and how many tracks were added. */
async function added(name: string, transcode: AudioTranscoder) {
  const output = new Output({ format: new WebMOutputFormat(), target: new BufferTarget() });
  const soundFrom = await videoFixture(name);
  const options = { format: 'webm', alpha: false, frameRate: 25, soundFrom, signal } as const;
  const codecs = { decodeAudio: serverAudio.decode, transcodeAudio: transcode };
  const { warnings } = await addAudioTrack(options, output, codecs);
  return { warnings: messagesOf(warnings()), tracks: output.tracks.length };
}

const never: AudioTranscoder = () => Promise.reject(new Error('not asked for'));

test('audio that the format supports is copied without a warning', async () => {
  expect(await added('spoken.webm', never)).toEqual({ warnings: [], tracks: 1 });
});

test('a video without audio gets none, without a warning', async () => {
  expect(await added('odd.webm', never)).toEqual({ warnings: [], tracks: 0 });
});

test('audio without a codec on the device is left out with a warning', async () => {
  expect(await added('moving.mp4', async () => null)).toEqual({
    warnings: ['The audio was omitted: this browser cannot convert aac for webm.'],
    tracks: 0,
  });
});

test('damaged audio is left out with a warning', async () => {
  const damaged = new OperationError('unprocessable', "The file's aac configuration is damaged.");
  expect(await added('moving.mp4', () => Promise.reject(damaged))).toEqual({
    warnings: ["The audio was omitted: it cannot be read. The file's aac configuration is damaged."],
    tracks: 0,
  });
});

test('an error that the file did not cause is thrown', async () => {
  await expect(added('moving.mp4', never)).rejects.toThrow('not asked for');
});
