import { expect, test } from 'vitest';
import { joinWindows } from '../../../../../models/operations/diarize/join-windows.ts';

const FRAMES = 589;
const FRAME_SECONDS = 270 / 16_000;

/** Three windows in which one voice speaks all the time; only the last one also hears another, for 50 frames. */
function outvotedVoice() {
  const activities = [0, 59, 119].map((firstFrame) => ({
    firstFrame,
    speakers: new Uint8Array(FRAMES).fill(0b01),
  }));
  activities[2]?.speakers.fill(0b10, 100, 150);
  const voices = [0, 1, 2].map((window) => ({ window, speaker: 0 })).concat({ window: 2, speaker: 1 });
  return { local: { activities, voices }, clusters: [0, 0, 0, 1] };
}

test('a voice that the other windows outvote everywhere has no turn', () => {
  const { local, clusters } = outvotedVoice();
  const segments = joinWindows(local, clusters, 12, false);
  expect(new Set(segments.map(({ speaker }) => speaker))).toEqual(new Set([0]));
});

test('a voice that the other windows outvote everywhere keeps its longest turn where all are needed', () => {
  const { local, clusters } = outvotedVoice();
  const segments = joinWindows(local, clusters, 12, true);
  const turn = segments.find(({ speaker }) => speaker === 1);
  expect((turn?.end ?? 0) - (turn?.start ?? 0)).toBeCloseTo(50 * FRAME_SECONDS, 6);
});
