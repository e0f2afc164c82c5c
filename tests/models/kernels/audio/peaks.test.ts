import { expect, it } from 'vitest';
import { columnLevels, PeakMeter } from '../../../../models/kernels/audio/peaks.ts';

it('measures the loudest sample of each hundredth, however the audio is cut', () => {
  const samples = Float32Array.from({ length: 250 }, (_, at) => (at < 80 ? 0 : at < 160 ? -0.5 : 2));
  const meter = new PeakMeter(8000);
  for (let at = 0; at < 250; at += 37) meter.add(samples.subarray(at, at + 37));
  const { levels, durationSeconds } = meter.finish();
  expect([...levels]).toEqual([0, 128, 255, 255]);
  expect(durationSeconds).toBe(250 / 8000);
});

it('keeps growing with the audio', () => {
  const meter = new PeakMeter(8000);
  meter.add(new Float32Array(8000 * 60).fill(1));
  const { levels } = meter.finish();
  expect([levels.length, levels.every((level) => level === 255)]).toEqual([6000, true]);
});

it('draws a part as columns, and silence beyond the audio', () => {
  const peaks = { levels: Uint8Array.of(1, 9, 3, 4), durationSeconds: 0.04 };
  expect([...columnLevels(peaks, 2, 0, 0.04)]).toEqual([9, 4]);
  expect([...columnLevels(peaks, 2, 0.02, 0.08)]).toEqual([4, 0]);
});
