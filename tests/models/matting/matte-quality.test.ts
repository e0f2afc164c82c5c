import { describe, expect, it } from 'vitest';
import { judgeMatte } from '../../../models/matting/matte-quality.ts';

const matte = (...data: number[]) => ({
  width: data.length,
  height: 1,
  channels: 1,
  data: Float32Array.from(data),
});
const repeat = (count: number, value: number) => Array<number>(count).fill(value);

/** Matte of a subject whose other pixels are raised or lowered from a value to another. */
const changed = (others: number, from: number, to: number) =>
  [
    matte(...repeat(100, 1), ...repeat(others, from)),
    matte(...repeat(100, 1), ...repeat(others, to)),
  ] as const;

describe('the judgement of a matte', () => {
  it.each([
    ['high without doubt', changed(50, 0, 0), { quality: 'high', doubt: null }],
    ['high with little haze', changed(30, 0.1, 0), { quality: 'high', doubt: null }],
    ['medium with more haze', changed(80, 0.1, 0), { quality: 'medium', doubt: 'outline' }],
    ['low with much haze', changed(80, 0.3, 0), { quality: 'low', doubt: 'outline' }],
    ['medium with a see-through inside', changed(20, 0.6, 1), { quality: 'medium', doubt: 'inside' }],
    ['low with holes inside', changed(20, 0.1, 1), { quality: 'low', doubt: 'inside' }],
    ['low where much was none of the subject', changed(20, 0.9, 0), { quality: 'low', doubt: 'subject' }],
    ['low without a subject', [matte(0.3, 0.4), matte(0, 0)], { quality: 'low', doubt: 'subject' }],
    ['low without anything', [matte(0, 0), matte(0, 0)], { quality: 'low', doubt: 'subject' }],
  ] as const)('is %s', (_, [found, completed], judgement) => {
    expect(judgeMatte(found, completed)).toEqual(judgement);
  });
});
