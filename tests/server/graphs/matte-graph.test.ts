import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { floatTensor, type Tensor } from '../../../models/core/runtime/tensor.ts';
import { REMOVE_BG_WEIGHTS } from '../../../models/matting/weights.ts';
import { convertKerasFeatures } from '../../../server/ops/build/graphs/keras-to-onnx.ts';
import { bytes, getFields, message, text, varint } from '../../../server/ops/build/graphs/onnx.ts';
import {
  convertNsfwModel,
  convertSelfieModel,
  convertThingsModel,
  joinMatte,
} from '../../../server/ops/build/graphs/write-bundled-graphs.ts';
import { onnxProvider } from '../../../server/runtime/inference/node-inference.ts';
import recorded from '../../fixtures/matting/selfie-person.json' with { type: 'json' };
import { sharedData } from '../../support/media/shared-data.ts';

const PUBLISHED = sharedData('models/files/selfie_segmentation.onnx');
const PERSON = resolve('public/acceptance/person.jpg');
const SIDE = 256;
const FEATURES = { channels: 128, side: 16 } as const;

type Feeds = Readonly<Record<string, Tensor>>;

async function run(model: Uint8Array<ArrayBuffer>, feeds: Feeds): Promise<Feeds> {
  const { signal } = new AbortController();
  const session = await onnxProvider('cpu', async () => model).open(signal);
  return await session.run(feeds, signal).finally(() => session.release());
}

/** Returns 256 rows of a photo of a person from its top, with the channels last, in 0 to 1. */
async function readPerson(left: number, width: number): Promise<Float32Array<ArrayBuffer>> {
  const crop = sharp(PERSON).extract({ left, top: 0, width, height: SIDE });
  return Float32Array.from(await crop.removeAlpha().raw().toBuffer(), (sample) => sample / 255);
}

function channelsFirst(pixels: Float32Array<ArrayBuffer>, width: number, height = SIDE): Tensor {
  const plane = height * width;
  const planes = Float32Array.from({ length: 3 * plane }, (_, at) => {
    return pixels[(at % plane) * 3 + Math.floor(at / plane)] ?? 0;
  });
  return floatTensor('float32', [1, 3, height, width], planes);
}

/** Returns each pixel of an image four times, as a square. */
function doubled({ data }: Tensor): Tensor {
  const twice = Float32Array.from({ length: 12 * SIDE * SIDE }, (_, at) => {
    const [x, y] = [at % (2 * SIDE), Math.floor(at / (2 * SIDE))];
    return Number(data[(y >> 1) * SIDE + (x >> 1)]);
  });
  return floatTensor('float32', [1, 3, 2 * SIDE, 2 * SIDE], twice);
}

function expectClose(
  actual: Tensor | undefined,
  expected: ArrayLike<number | bigint>,
  distance: number,
): void {
  expect(actual?.data.length).toBe(expected.length);
  const distances = Array.from(expected, (value, at) => Math.abs(Number(value) - Number(actual?.data[at])));
  expect(Math.max(...distances.map((each) => (Number.isNaN(each) ? Infinity : each)))).toBeLessThan(distance);
}

/** Adds a tensor between nodes to the outputs of a graph. */
function withOutput(model: Uint8Array, name: string): Uint8Array<ArrayBuffer> {
  const float = bytes(2, bytes(1, varint(1, 1)));
  const fields = getFields(model).map(({ number, value, raw }) =>
    number === 7 ? bytes(7, message(value, bytes(12, message(text(1, name), float)))) : raw,
  );
  return new Uint8Array(message(...fields));
}

describe('the selfie segmentation of MediaPipe, converted', () => {
  it('gives the figures of the published ONNX file for a photo of a person', async () => {
    const image = channelsFirst(await readPerson(180, SIDE), SIDE);
    const { people, people_features } = await run(await convertSelfieModel(), { image });
    expect(people?.dims).toEqual([1, 1, SIDE, SIDE]);
    expect(people_features?.dims).toEqual([1, FEATURES.channels, FEATURES.side, FEATURES.side]);
    const [step, plane] = [SIDE / 8, FEATURES.side ** 2];
    recorded.opacity.forEach((opacity, at) => {
      const [x, y] = [(at % 8) * step + step / 2, Math.floor(at / 8) * step + step / 2];
      expect(Math.abs(Number(people?.data[y * SIDE + x]) - opacity)).toBeLessThan(1e-3);
    });
    recorded.features.forEach((feature, channel) => {
      const found = Number(people_features?.data[channel * plane + ((channel * 7) % plane)]);
      expect(Math.abs(found - feature)).toBeLessThan(1e-3);
    });
  });

  it.skipIf(PUBLISHED.isMissing)(
    PUBLISHED.titled('gives the outputs of the published ONNX file everywhere'),
    { tags: ['long'] },
    async () => {
      const pixels = await readPerson(180, SIDE);
      const published = withOutput(await readFile(PUBLISHED.path), 'multiply_6:0');
      const input = floatTensor('float32', [1, SIDE, SIDE, 3], pixels);
      const expected = await run(published, { 'input_1:0': input });
      const own = await run(await convertSelfieModel(), { image: channelsFirst(pixels, SIDE) });
      expectClose(own.people, expected.activation_10?.data ?? [], 1e-3);
      expectClose(own.people_features, expected['multiply_6:0']?.data ?? [], 1e-3);
    },
  );

  it('resizes an image of another size by itself', async () => {
    const image = channelsFirst(await readPerson(180, SIDE), SIDE);
    const graph = await convertSelfieModel();
    const [once, twice] = [await run(graph, { image }), await run(graph, { image: doubled(image) })];
    expectClose(twice.people, once.people?.data ?? [], 1e-5);
  });
});

describe('the features of nsfwjs’ network, converted', () => {
  it('are those of the whole network for a photo of its size', async () => {
    const side = 224;
    const crop = sharp(PERSON).extract({ left: 180, top: 0, width: side, height: side }).removeAlpha();
    const pixels = Float32Array.from(await crop.raw().toBuffer(), (sample) => sample / 255);
    const whole = withOutput(withOutput(await convertNsfwModel(), 'block_12_add'), 'block_15_add');
    const expected = await run(whole, { image: floatTensor('float32', [1, side, side, 3], pixels) });
    const { things, kinds } = await run(await convertThingsModel(side), {
      image: channelsFirst(pixels, side, side),
    });
    expect([things?.dims, kinds?.dims]).toEqual([
      [1, 96, 14, 14],
      [1, 160, 7, 7],
    ]);
    expectClose(things, expected.block_12_add?.data ?? [], 1e-3);
    expectClose(kinds, expected.block_15_add?.data ?? [], 1e-3);
  });

  it('have a row and column for each 16 and 32 of the side to which the image is resized', async () => {
    const image = channelsFirst(await readPerson(140, 320), 320);
    const { things, kinds } = await run(await convertThingsModel(), { image });
    expect([things?.dims, kinds?.dims]).toEqual([
      [1, 96, 16, 16],
      [1, 160, 8, 8],
    ]);
  });

  it('are refused for a layer that the network lacks', async () => {
    const ends = { input: 'image', side: 224, outputs: { block_99_add: 'things' }, prefix: '' };
    const empty = { layers: [], weights: new Map() };
    expect(() => convertKerasFeatures(empty, ends)).toThrow('block_99_add: is no layer with features');
  });
});

describe('the background remover, joined', () => {
  it('has the bytes that its card pins, each time', async () => {
    const graph = await joinMatte();
    expect(graph.length).toBe(REMOVE_BG_WEIGHTS.matte.bytes);
    expect(createHash('sha256').update(graph).digest('hex')).toBe(REMOVE_BG_WEIGHTS.matte.sha256);
  });

  it('gives what our own part gives for the outputs of both networks', async () => {
    const image = channelsFirst(await readPerson(140, 320), 320);
    const said = await run(await convertSelfieModel(), { image });
    const seen = await run(await convertThingsModel(), { image });
    const part = new Uint8Array(await readFile(resolve('models/weights/own-matte.onnx')));
    const { alpha: expected } = await run(part, { image, ...said, ...seen });
    const { alpha } = await run(await joinMatte(), { image });
    expect(alpha?.dims).toEqual([1, 1, SIDE, 320]);
    expectClose(alpha, expected?.data ?? [], 1e-5);
    // The middle of the person, and the wall next to it.
    expect(Number(alpha?.data[220 * 320 + 140])).toBeGreaterThan(0.9);
    expect(Number(alpha?.data[60 * 320 + 20])).toBeLessThan(0.1);
  });
});
