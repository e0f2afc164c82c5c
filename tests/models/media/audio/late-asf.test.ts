import { afterAll, expect, test } from 'vitest';
import { measureAudio, provideFfmpeg } from '../../../../models/media/audio/read/measure-file.ts';
import { provideNodeFfmpeg } from '../../../../server/base/provide-ffmpeg.ts';

afterAll(() => provideNodeFfmpeg());

/** Measures an ASF file whose packets last from 600 to 606 s. */
async function measureLate(declaredSeconds: number) {
  const times = { startSeconds: 600, endSeconds: 606, codedSeconds: 6, partSeconds: 0, backSeconds: 0 };
  const stream = { isAudio: true, codec: 'wmav2', sampleRate: 48_000, channelCount: 1, name: '' };
  provideFfmpeg(async () => ({ streams: [{ ...stream, declaredSeconds, times }], encoder: '' }));
  return await measureAudio(new Blob([]), 'asf', { trackNumber: 1, secondsMax: 60 });
}

test('ASF whose times begin late is whole where FFmpeg states the time of its end', async () => {
  expect(await measureLate(606)).toMatchObject({ durationSeconds: 6, isCutOff: false });
});

test('ASF whose times begin late is cut off where they end before that', async () => {
  expect(await measureLate(615)).toMatchObject({ durationSeconds: 6, isCutOff: true });
});
