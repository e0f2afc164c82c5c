import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { floatTensor } from '../../../models/core/runtime/tensor.ts';
import { weightFileName } from '../../../models/core/runtime/weight-card.ts';
import { MATTE_MODELS } from '../../../models/matting/matte-models.ts';
import { UPSCALERS } from '../../../models/operations/upscale/upscalers.ts';
import { WEIGHTS } from '../../../models/registry.ts';
import { onnxProvider } from '../../../server/runtime/inference/node-inference.ts';

const BUNDLED = WEIGHTS.filter(({ url }) => url === null);
const read = (name: string) => new Uint8Array(readFileSync(resolve('models/weights', name)));

describe('bundled weights', () => {
  it.each(BUNDLED)('$id: the file matches its card', (card) => {
    const file = read(weightFileName(card));
    expect(file.length).toBe(card.bytes);
    expect(createHash('sha256').update(file).digest('hex')).toBe(card.sha256);
  });

  it('have the inputs and outputs that the product expects', async () => {
    const network = MATTE_MODELS.find(({ card }) => card.id === 'matte');
    const session = await onnxProvider('cpu', async () => read('matte.onnx')).open(
      new AbortController().signal,
    );
    expect(session.inputs).toMatchObject([{ name: 'image', type: 'float32' }]);
    expect(session.outputs).toMatchObject([{ name: 'alpha', type: 'float32' }]);
    expect(network).toMatchObject({ side: 320, output: 'opacity' });
    await session.release();
  });

  it.each(
    [...new Set(UPSCALERS.flatMap(({ networks }) => networks))].filter(({ card }) => card.url === null),
  )('$card.id enlarges $scale times', async ({ card, scale }) => {
    const session = await onnxProvider('cpu', async () => read(weightFileName(card))).open(
      new AbortController().signal,
    );
    expect(session.inputs).toMatchObject([{ name: 'image', type: 'float32' }]);
    expect(session.outputs).toMatchObject([{ name: 'enlarged', type: 'float32' }]);
    const image = floatTensor('float32', [1, 3, 6, 8], new Float32Array(3 * 6 * 8).fill(0.5));
    const { enlarged } = await session.run({ image }, new AbortController().signal);
    expect(enlarged?.dims).toEqual([1, 3, 6 * scale, 8 * scale]);
    await session.release();
  });
});
