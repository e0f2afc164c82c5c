import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resizeAligned } from '../../../models/kernels/raster/resize.ts';
import { IMAGE_MODERATION_WEIGHTS } from '../../../models/moderation/weights.ts';
import { assembleKerasModel, convertKerasToOnnx } from '../../../server/ops/build/graphs/keras-to-onnx.ts';
import { convertNsfwModel } from '../../../server/ops/build/graphs/write-bundled-graphs.ts';
import { onnxProvider } from '../../../server/runtime/inference/node-inference.ts';
import own from '../../fixtures/moderation/nsfwjs.json' with { type: 'json' };
import shared from '../../fixtures/moderation/nsfwjs-shared.json' with { type: 'json' };
import { sharedData } from '../../support/media/shared-data.ts';

const CARD = IMAGE_MODERATION_WEIGHTS['nsfw-mobilenet'];
const SHARED = sharedData('data/moderation');

type Session = Awaited<ReturnType<ReturnType<typeof onnxProvider>['open']>>;
const { signal } = new AbortController();
let session: Session;

describe('the network of nsfwjs, converted', () => {
  beforeAll(async () => {
    session = await onnxProvider('cpu', convertNsfwModel).open(signal);
  });
  afterAll(() => session.release());

  it('has the bytes that its card pins, each time', async () => {
    const graph = await convertNsfwModel();
    expect(graph.length).toBe(CARD.bytes);
    expect(createHash('sha256').update(graph).digest('hex')).toBe(CARD.sha256);
  });

  /** Compares with Drawing, Hentai, Neutral, Porn and Sexy, as nsfwjs itself gives them on TensorFlow.js. */
  async function expectFigures(path: string, figures: readonly number[]): Promise<void> {
    const image = sharp(resolve(path)).rotate().toColourspace('srgb').removeAlpha();
    const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
    const colours = { ...info, channels: 3, data: Float32Array.from(data, (sample) => sample / 255) };
    const tensor = { type: 'float32', dims: [1, 224, 224, 3] } as const;
    const feed = { ...tensor, data: resizeAligned(colours, 224, 224).data };
    const { probabilities } = await session.run({ image: feed }, signal);
    expect(probabilities?.data.length).toBe(5);
    figures.forEach((figure, at) => {
      expect(Math.abs(figure - Number(probabilities?.data[at]))).toBeLessThan(1e-3);
    });
  }

  it.each(Object.entries(own))("gives the package's own figures for %s", expectFigures);

  it.skipIf(SHARED.isMissing).each(Object.entries(shared))(
    SHARED.titled("gives the package's own figures for %s"),
    { tags: ['long'] },
    (name, figures) => expectFigures(resolve(SHARED.path, name), figures),
  );
});

describe('the converter of Keras models', () => {
  const layer = (kind: string, config = {}) => ({
    name: 'first',
    class_name: kind,
    config,
    inbound_nodes: [],
  });

  it('refuses layers that it does not know', () => {
    const model = { layers: [layer('LSTM')], weights: new Map() };
    expect(() => convertKerasToOnnx(model, { input: 'x', output: 'y' })).toThrow(
      'first: layers of the kind LSTM cannot be converted',
    );
  });

  it('refuses weights that are not quantised, or of another length', () => {
    const quantization = { min: 0, scale: 1, dtype: 'uint8' };
    const manifest = (weight: object) => ({
      modelTopology: { model_config: { config: { layers: [] } } },
      weightsManifest: [{ weights: [{ name: 'kernel', shape: [2, 2], ...weight }] }],
    });
    expect(() => assembleKerasModel(manifest({}), new Uint8Array(4))).toThrow('kernel: is not quantised');
    expect(() => assembleKerasModel(manifest({ quantization }), new Uint8Array(5))).toThrow(/^5 bytes/);
  });
});
