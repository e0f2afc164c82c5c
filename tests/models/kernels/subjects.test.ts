import { describe, expect, it } from 'vitest';
import { findSubjects } from '../../../models/kernels/subjects.ts';
import type { FloatImage } from '../../../models/raster.ts';

/** `#` is solid, `+` is soft, `.` is nothing. */
function drawn(...rows: string[]): FloatImage {
  const opacity: Record<string, number> = { '#': 1, '+': 0.3, '.': 0 };
  const data = Float32Array.from(rows.join(''), (character) => opacity[character] ?? 0);
  return { width: rows[0]?.length ?? 0, height: rows.length, channels: 1, data };
}

describe('subjects', () => {
  it('are counted by connection, over corners too', () => {
    expect(findSubjects(drawn('##..#', '##.#.', '....#')).count).toBe(2);
    expect(findSubjects(drawn('.....', '.....')).count).toBe(0);
  });

  it('do not include specks', () => {
    const row = '##########'.repeat(6);
    expect(findSubjects(drawn(...Array(10).fill(`${row}...`), `${'.'.repeat(62)}#`)).count).toBe(1);
  });

  it('joined by something soft are two', () => {
    expect(findSubjects(drawn('##++##')).count).toBe(2);
  });

  it('can be left but for the largest, with its own soft edge', () => {
    const matte = drawn('###++.+##', '###++.+##', '###+..+#.');
    expect(findSubjects(matte).primary()).toEqual(drawn('###++....', '###++....', '###+.....'));
  });

  it('share what is soft between them by nearness', () => {
    expect(findSubjects(drawn('###++++##')).primary()).toEqual(drawn('###++....'));
  });

  it('do not take what is soft and lies apart', () => {
    expect(findSubjects(drawn('###+.+..##')).primary()).toEqual(drawn('###+......'));
  });

  it('of an empty matte leave nothing', () => {
    expect(findSubjects(drawn('.+.')).primary()).toEqual(drawn('...'));
  });
});
