import { expect, it } from 'vitest';
import type { Session } from '../../../../models/core/runtime/inference.ts';
import { Fbank } from '../../../../models/operations/diarize/fbank.ts';
import { filterBank } from '../../../../models/operations/diarize/feed-samples.ts';
import { OVERLAP_SECONDS, OverlapActivity } from '../../../../models/operations/diarize/run.ts';

const RATE = 16_000;
const signal = new AbortController().signal;

/** Network that tells the first band of each fourth frame. */
const echo: Session = {
  inputs: [],
  outputs: [],
  async run({ bands }) {
    const [, frames = 0, width = 0] = bands?.dims ?? [];
    const data = Float32Array.from({ length: Math.ceil(frames / 4) }, (_, at) =>
      Number(bands?.data[4 * at * width]),
    );
    return {
      outputs: { overlap: { type: 'float32', dims: [1, data.length], data } },
      provider: '',
      notices: [],
    };
  },
};

/** Sound of 13 s whose every frame differs. */
const sound = Float32Array.from({ length: 13 * RATE }, (_, at) => 0.3 * Math.sin(at * at * 1e-6));

async function judge(
  regions: readonly { start: number; end: number }[],
  chunk: number,
): Promise<Float32Array> {
  const activity = new OverlapActivity(echo, regions, signal);
  const sink = filterBank(activity);
  for (let at = 0; at < sound.length; at += chunk) await sink.push(sound.subarray(at, at + chunk));
  await sink.finish();
  return activity.probabilities;
}

it.each([RATE, 7777, 13 * RATE])('judges each frame once, whatever the chunks: %d samples', async (chunk) => {
  const found = await judge([{ start: 0, end: 13 }], chunk);
  const frames = new Fbank().push(sound);
  expect([...found]).toEqual([...found].map((_, at) => frames[4 * at]?.[0] ?? 0));
});

it('judges no window without speech', async () => {
  const found = await judge([{ start: 9.5, end: 10 }], RATE);
  const judged = [...found].flatMap((value, at) => (value === 0 ? [] : [at * OVERLAP_SECONDS]));
  expect(judged.length).toBeGreaterThan(0);
  expect(Math.min(...judged)).toBeGreaterThanOrEqual(9);
});

it('refuses a model of another contract', async () => {
  const other: Session = { ...echo, run: async () => ({ outputs: {}, provider: '', notices: [] }) };
  const activity = new OverlapActivity(other, [{ start: 0, end: 5 }], signal);
  await expect(filterBank(activity).push(sound)).rejects.toThrow(
    'overlap: the model does not detect overlap.',
  );
});
