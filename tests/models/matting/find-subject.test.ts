import { expect, test } from 'vitest';
import { NO_MODELS } from '../../../models/core/inference/model-errors.ts';
import type { Inference, Session } from '../../../models/core/runtime/inference.ts';
import type { FloatImage } from '../../../models/core/runtime/raster.ts';
import { formatWarning, getMessages } from '../../../models/core/runtime/run-warnings.ts';
import type { Tensor } from '../../../models/core/runtime/tensor.ts';
import { findSubject } from '../../../models/matting/find-subject.ts';

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

test('a quick model runs on a still image and its mirror image, and reports a notice once', async () => {
  const { inference, runs } = slopeFinder('matte');
  const { matte, engine, warnings } = await find(inference, true);
  expect(runs()).toBe(2);
  expect({ engine, warnings: getMessages(warnings) }).toEqual({
    engine: 'matte on cpu',
    warnings: ['the other one failed; cpu was used instead.', expect.stringMatching(/^No larger model/)],
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
