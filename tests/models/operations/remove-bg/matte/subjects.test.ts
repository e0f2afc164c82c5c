import { describe, expect, it, test } from 'vitest';
import type { FloatImage } from '../../../../../models/core/runtime/raster.ts';
import { labelRegions } from '../../../../../models/kernels/raster/label-regions.ts';
import { findSubjects } from '../../../../../models/kernels/raster/subjects.ts';

/** `#` is solid, `+` is soft, `.` is nothing. */
function drawn(...rows: string[]): FloatImage {
  const opacity: Record<string, number> = { '#': 1, '+': 0.3, '.': 0 };
  const data = Float32Array.from(rows.join(''), (character) => opacity[character] ?? 0);
  return { width: rows[0]?.length ?? 0, height: rows.length, channels: 1, data };
}

describe('subjects', () => {
  it('are counted as connected regions, including diagonals', () => {
    expect(findSubjects(drawn('##..#', '##.#.', '....#')).count).toBe(2);
    expect(findSubjects(drawn('.....', '.....')).count).toBe(0);
  });

  it('do not include specks', () => {
    const row = '##########'.repeat(6);
    expect(findSubjects(drawn(...Array(10).fill(`${row}...`), `${'.'.repeat(62)}#`)).count).toBe(1);
  });

  it('joined by a soft region are counted as two', () => {
    expect(findSubjects(drawn('##++##')).count).toBe(2);
  });

  it('can be reduced to the largest, with its own soft edge', () => {
    const matte = drawn('###++.+##', '###++.+##', '###+..+#.');
    expect(findSubjects(matte).primary()).toEqual(drawn('###++....', '###++....', '###+.....'));
  });

  it('share the soft region between them by distance', () => {
    expect(findSubjects(drawn('###++++##')).primary()).toEqual(drawn('###++....'));
  });

  it('do not include a separate soft region', () => {
    expect(findSubjects(drawn('###+.+..##')).primary()).toEqual(drawn('###+......'));
  });

  it('of an empty matte give an empty matte', () => {
    expect(findSubjects(drawn('.+.')).primary()).toEqual(drawn('...'));
  });
});

/** Two pixels that touch at a corner, one of them at the border, and a third apart from both. */
const MASK = Uint8Array.from([
  ...[1, 0, 0, 0, 0],
  ...[0, 1, 0, 0, 0],
  ...[0, 0, 0, 1, 0],
  ...[0, 0, 0, 0, 0],
]);

test('regions connect over corners with eight neighbours', () => {
  const { labels, areas, touchesBorder } = labelRegions(MASK, 5, 4, 8);
  expect([areas, touchesBorder]).toEqual([
    [2, 1],
    [true, false],
  ]);
  expect([labels[0], labels[6], labels[13], labels[1]]).toEqual([0, 0, 1, -1]);
});

test('regions connect over edges only with four', () => {
  const { areas, touchesBorder } = labelRegions(MASK, 5, 4, 4);
  expect([areas, touchesBorder]).toEqual([
    [1, 1, 1],
    [true, false, false],
  ]);
});

test('rows do not connect around the border', () => {
  const mask = Uint8Array.from([0, 0, 1, 1, 0, 0]);
  expect(labelRegions(mask, 3, 2, 4).areas).toEqual([1, 1]);
});
