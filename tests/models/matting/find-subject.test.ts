import { describe, expect, it, test } from 'vitest';
import { NO_MODELS } from '../../../models/core/inference/model-errors.ts';
import type { Inference, Session } from '../../../models/core/runtime/inference.ts';
import type { FloatImage } from '../../../models/core/runtime/raster.ts';
import { formatWarning, getMessages } from '../../../models/core/runtime/run-warnings.ts';
import type { Tensor } from '../../../models/core/runtime/tensor.ts';
import { findSubject } from '../../../models/matting/find-subject.ts';
import { judgeMatte } from '../../../models/matting/matte-quality.ts';

const SIDE = 320;
const { signal } = new AbortController();
const colours: FloatImage = { width: 8, height: 8, channels: 3, data: new Float32Array(192) };

/** Model that always returns a slope from 0 on the left to 0.4 on the right, too little for a subject. */
function slopeFinder(id: string): { inference: Inference; runs: () => number } {
  let runs = 0;
  const session: Session = {
    inputs: [{ name: 'image', type: 'float32', dims: [1, 3, null, null] }],
    outputs: [{ name: 'alpha', type: 'float32', dims: [1, 1, null, null] }],
    async run() {
      runs += 1;
      const data = Float32Array.from({ length: SIDE * SIDE }, (_, at) => (0.4 * (at % SIDE)) / (SIDE - 1));
      const alpha: Tensor = { type: 'float32', dims: [1, 1, SIDE, SIDE], data };
      return {
        outputs: { alpha },
        provider: 'cpu',
        notices: [formatWarning('other_provider', 'the other one failed', 'cpu')],
      };
    },
  };
  const inference: Inference = {
    availability: async (card) => (card.id === id ? 'ready' : 'unavailable'),
    use: (_card, _options, work) => work(session),
    read: NO_MODELS.read,
  };
  return { inference, runs: () => runs };
}

const find = (inference: Inference, isStill: boolean) =>
  findSubject(inference, colours, { engine: 'auto', isStill, signal, onProgress: () => {} });

test('a quick model runs on a still image, its mirror image and four parts of an empty one, and reports a notice once', async () => {
  const { inference, runs } = slopeFinder('matte');
  const { matte, engine, warnings } = await find(inference, true);
  expect(runs()).toBe(6);
  expect({ engine, warnings: getMessages(warnings) }).toEqual({
    engine: 'matte on cpu',
    warnings: ['the other one failed; cpu was used instead.'],
  });
  for (const value of matte.data) expect(value).toBeCloseTo(0.2, 5);
});

test.each([
  ['a quick model', 'a frame of a video', 'matte', false],
  ['a large model', 'a still image', 'isnet-general-use', true],
])('%s runs once on %s', async (_network, _picture, id, isStill) => {
  const { inference, runs } = slopeFinder(id);
  const { matte } = await find(inference, isStill);
  expect(runs()).toBe(1);
  expect(matte.data[0]).toBe(0);
  expect(matte.data[SIDE - 1]).toBeGreaterThan(0.3);
});

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
