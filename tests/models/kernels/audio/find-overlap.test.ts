import { expect, test } from 'vitest';
import { findOverlap } from '../../../../models/kernels/audio/fill-gaps.ts';

const noise = Float32Array.from({ length: 5000 }, (_, at) => Math.sin(at * at * 0.01));
const tail = noise.subarray(2000, 2400);

test.each([1800, 1999, 2000, 2001, 2150])('finds the overlap when %i is expected', (expected) => {
  expect(findOverlap(tail, noise, expected, 200)).toBe(2000);
});

test('a slight decoder error does not move the overlap', () => {
  const inexact = noise.map((sample, at) => sample + 0.01 * Math.cos(at));
  expect(findOverlap(tail, inexact, 1900, 200)).toBe(2000);
});

test('silence keeps the expected index', () => {
  expect(findOverlap(new Float32Array(400), new Float32Array(5000), 1234, 200)).toBe(1234);
});

test('the overlap is inside the later part', () => {
  expect(findOverlap(new Float32Array(400), new Float32Array(1000), 900, 100)).toBe(600);
});
