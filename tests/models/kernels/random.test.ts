import { expect, it } from 'vitest';
import { seededRandom } from '../../../models/operations/extend/seeded-random.ts';

it('gives the published numbers of Mulberry32', () => {
  const random = seededRandom(42);
  expect([random(), random(), random()].map((value) => Math.round(value * 2 ** 32))).toEqual([
    2581720956, 1925393290, 3661312704,
  ]);
});

it('covers 0 to 1 evenly', () => {
  const random = seededRandom(2 ** 32 - 1);
  const counts = new Array<number>(10).fill(0);
  for (let at = 0; at < 100_000; at++) {
    const tenth = Math.floor(random() * 10);
    counts[tenth] = (counts[tenth] ?? 0) + 1;
  }
  for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(400);
});
