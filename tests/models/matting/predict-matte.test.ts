import { describe, expect, it } from 'vitest';
import { ProviderChain } from '../../../models/core/inference/provider-chain.ts';
import type { Session } from '../../../models/core/runtime/inference.ts';
import type { FloatImage } from '../../../models/core/runtime/raster.ts';
import { resizeImage } from '../../../models/kernels/raster/resize.ts';
import { predictMatte } from '../../../models/matting/find-subject.ts';
import { MATTE_MODELS } from '../../../models/matting/matte-models.ts';
import { encodeOnnxModel } from '../../../server/ops/build/graphs/onnx.ts';
import { onnxProvider } from '../../../server/runtime/inference/node-inference.ts';
import { alphaFromRed, createMatteModel } from '../../support/models/matte.ts';

const { signal } = new AbortController();
const open = (model: Uint8Array<ArrayBuffer>) =>
  ProviderChain.open([onnxProvider('cpu', async () => model)], signal);

/** Red disc, fully red in its middle and not red at all at the border, on other varying colours. */
const WIDTH = 120;
const HEIGHT = 80;
const redAt = (x: number, y: number) => Math.min(1, Math.max(0, (36 - Math.hypot(x - 60, y - 40)) / 8));
const picture: FloatImage = {
  width: WIDTH,
  height: HEIGHT,
  channels: 3,
  data: Float32Array.from({ length: WIDTH * HEIGHT * 3 }, (_, at) => {
    const [x, y] = [Math.floor(at / 3) % WIDTH, Math.floor(at / 3 / WIDTH)];
    return [redAt(x, y), x / WIDTH, y / HEIGHT][at % 3] as number;
  }),
};
const red: FloatImage = { ...picture, channels: 1, data: picture.data.filter((_, at) => at % 3 === 0) };

const cases = MATTE_MODELS.flatMap((network) =>
  (['float32', 'float16'] as const).map((type) => ({ id: network.card.id, network, type })),
);
type Case = (typeof cases)[number];
/** Each network once. */
const isQuick = ({ type }: Case) => type === 'float32';

describe('a matte model', { timeout: 120_000 }, () => {
  const title = '$id with $type: inputs and outputs follow its description';
  it.each(cases.filter(isQuick))(title, expectMatte);
  it.each(cases.filter((each) => !isQuick(each)))(title, { tags: ['long'] }, expectMatte);

  async function expectMatte({ id, network, type }: Case): Promise<void> {
    const session = await open(createMatteModel(id, type));
    const { matte, provider, notices } = await predictMatte(network, session, picture, { signal });
    await session.release();
    expect({ provider, notices }).toEqual({ provider: 'cpu', notices: [] });
    const expected = resizeImage(red, matte.width, matte.height);
    const tolerance = type === 'float16' ? 0.01 : 0.003;
    for (let place = 0; place < matte.data.length; place++) {
      const value = alphaFromRed(expected.data[place] as number);
      // The logistic function of the stand-in comes near 0 and 1 but does not reach them.
      const ideal = id === 'birefnet-lite-fp16' ? 1 / (1 + Math.exp(6 - 12 * value)) : value;
      if (Math.abs((matte.data[place] as number) - ideal) > tolerance) {
        expect(matte.data[place]).toBeCloseTo(ideal, 2);
      }
    }
  }

  async function expectDim(id: string): Promise<void> {
    const network = MATTE_MODELS.find(({ card }) => card.id === id);
    if (!network) throw new Error('no such network');
    const session = await open(createMatteModel(id));
    const dim = { ...picture, data: picture.data.map((value) => value / 4) };
    const bright = await predictMatte(network, session, picture, { signal });
    const { matte } = await predictMatte(network, session, dim, { signal });
    matte.data.forEach((value, place) => {
      if (Math.abs(value - (bright.matte.data[place] as number)) > 1e-4) {
        expect(value).toBeCloseTo(bright.matte.data[place] as number, 4);
      }
    });
  }

  it.each(['u2netp'])('%s gives the same matte for a dim image', expectDim);
  it.each(['isnet-general-use'])('%s gives the same matte for a dim image', { tags: ['long'] }, expectDim);

  it('with several outputs computes the matte alone', async () => {
    const network = MATTE_MODELS.find(({ card }) => card.id === 'u2netp');
    if (!network) throw new Error('no such network');
    const session = await open(createMatteModel('u2netp'));
    const names: string[][] = [];
    const watched: Session = {
      inputs: session.inputs,
      outputs: session.outputs,
      async run(...given) {
        const result = await session.run(...given);
        names.push(Object.keys(result.outputs));
        return result;
      },
    };
    await predictMatte(network, watched, picture, { signal });
    expect(session.outputs).toHaveLength(7);
    expect(names).toEqual([['1959']]);
    await session.release();
  });

  it('keeps the aspect ratio where the model allows it', async () => {
    const [network] = MATTE_MODELS.filter(({ card }) => card.id === 'modnet-fp16');
    if (!network) throw new Error('no such network');
    const session = await open(createMatteModel(network.card.id));
    const { matte } = await predictMatte(network, session, picture, { signal });
    expect([matte.width, matte.height]).toEqual([512, 352]);
  });

  async function expectFaint(id: string): Promise<void> {
    const network = MATTE_MODELS.find(({ card }) => card.id === id);
    if (!network) throw new Error('no such network');
    const session = await open(createMatteModel(id));
    const black = { ...picture, data: new Float32Array(picture.data.length) };
    const { matte: dark } = await predictMatte(network, session, black, { signal });
    expect(dark.data.every((value) => value === 0)).toBe(true);
    // Red up to a fifth of the brightest colour: the stand-in responds with at most 0.12, here and there.
    const faint = {
      ...picture,
      data: picture.data.map((value, at) => (at % 3 === 0 ? value / 5 : at % 3 === 1 ? 1 : 0)),
    };
    const { matte } = await predictMatte(network, session, faint, { signal });
    expect(matte.data.reduce((most, value) => Math.max(most, value), 0)).toBeCloseTo(0.12, 3);
  }

  it.each(['u2netp'])('%s finds no subject where it responds faintly', expectFaint);
  it.each(['isnet-general-use'])(
    '%s finds no subject where it responds faintly',
    { tags: ['long'] },
    expectFaint,
  );

  it('with other inputs and outputs than its card is rejected', async () => {
    const [network] = MATTE_MODELS;
    if (!network) throw new Error('no network');
    const session = await open(
      encodeOnnxModel({
        inputs: [{ name: 'x', type: 'float32', dims: [1, 3, 1024, 1024] }],
        outputs: [{ name: 'y', type: 'float32', dims: [1, 3, 1024, 1024] }],
        nodes: [{ op: 'Identity', inputs: ['x'], outputs: ['y'] }],
      }),
    );
    await expect(predictMatte(network, session, picture, { signal })).rejects.toMatchObject({
      code: 'unavailable',
    });
  });
});
