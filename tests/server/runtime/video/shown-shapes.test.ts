import { openAsBlob } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { probeVideo } from '../../../../models/media/containers/video-header.ts';
import { SCENES, type SceneVideo, WIDE_HEVC, worstColour } from '../../../support/media/scene-videos.ts';
import { sharedData } from '../../../support/media/shared-data.ts';
import { encodeVideo, readVideo } from '../../../support/media/videos.ts';

async function expectShown({ file, width, height, seconds }: SceneVideo): Promise<void> {
  const input = await file();
  const facts = await probeVideo(input, { secondsMax: 60 });
  expect(facts).toMatchObject({ width, height, durationSeconds: seconds });
  const { frames, warnings } = await readVideo(input);
  const last = frames.at(-1);
  expect([frames[0]?.width, frames[0]?.height]).toEqual([width, height]);
  expect((last?.timestampSeconds ?? 0) + (last?.durationSeconds ?? 0)).toBeCloseTo(seconds, 2);
  for (const frame of frames) expect(worstColour(frame)).toBeLessThan(4);
  expect(warnings).toEqual([]);
}

describe('a video is shown, and priced, as its file says', () => {
  test.each(Object.entries({ ...SCENES, 'of wide pixels by its HEVC alone': WIDE_HEVC }))(
    '%s',
    async (_, scene) => await expectShown(scene),
  );

  test.each(['mp4', 'webm'] as const)('and its length is kept in %s', async (format) => {
    const input = await (SCENES['whose last picture lasts for 4 s, Matroska'] as SceneVideo).file();
    const { blob } = await encodeVideo((await readVideo(input)).frames, { format });
    expect((await probeVideo(blob, { secondsMax: 60 })).durationSeconds).toBeCloseTo(8, 1);
  });
});

const wide = { width: 192, height: 64, seconds: 1 };
const square = { width: 96, height: 64, seconds: 1 };
const FILES = {
  'sar-in-sps-only.mp4': wide,
  'sar-in-vol-only-mpeg4.mp4': wide,
  'untagged-sd-h264.mp4': square,
  'untagged-sd-vp9.webm': square,
  'pixel-crop.mkv': { width: 80, height: 56, seconds: 1 },
};
const shared = sharedData('cases/round4/media');

test.skipIf(shared.isMissing).each(Object.entries(FILES))(
  shared.titled('%s is shown as players show it'),
  (name, shown) => expectShown({ ...shown, file: () => openAsBlob(`${shared.path}/${name}`) }),
);

test.skipIf(shared.isMissing).each(['last-picture-4s.mkv', 'last-picture-4s.mp4'])(
  shared.titled('%s lasts for 8 s'),
  async (name) => {
    const input = await openAsBlob(`${shared.path}/${name}`);
    expect((await probeVideo(input, { secondsMax: 60 })).durationSeconds).toBe(8);
    const { frames } = await readVideo(input);
    expect(
      frames.map(({ timestampSeconds, durationSeconds }) => [timestampSeconds, durationSeconds]),
    ).toEqual([
      [0, 2],
      [2, 2],
      [4, 4],
    ]);
  },
);
