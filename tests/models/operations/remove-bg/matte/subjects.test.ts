import { describe, expect, it } from 'vitest';
import type { FloatImage } from '../../../../../models/core/runtime/raster.ts';
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
