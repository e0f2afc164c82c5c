import { expect, test } from 'vitest';
import { cutSubject } from '../../../../../models/operations/remove-bg/matte/complete-matte.ts';

const SIDE = 40;
const image = (channels: number, at: (x: number, y: number, channel: number) => number) => ({
  width: SIDE,
  height: SIDE,
  channels,
  data: Float32Array.from({ length: SIDE * SIDE * channels }, (_, index) => {
    const place = Math.floor(index / channels);
    return at(place % SIDE, Math.floor(place / SIDE), index % channels);
  }),
});

test('the cut follows the edge of colours where the matte is vague', () => {
  const colours = image(3, (x, _, channel) => (channel === (x < 20 ? 0 : 1) ? 0.9 : 0.1));
  // A ramp whose middle lies four pixels off the edge.
  const matte = image(1, (x) => Math.min(1, Math.max(0, (36 - x) / 24)));
  const labels = cutSubject(matte, colours);
  for (let x = 0; x < SIDE; x++) expect([x, labels[20 * SIDE + x]]).toEqual([x, x < 20 ? 1 : 0]);
});

test('a matte without doubt is cut at its own outline', () => {
  const grey = image(3, () => 0.5);
  const matte = image(1, (x, y) => (Math.hypot(x - 20, y - 20) < 10 ? 1 : 0));
  const labels = cutSubject(matte, grey);
  const wrong = labels.filter((label, place) => label !== matte.data[place]).length;
  expect(wrong).toBeLessThan(8);
});
