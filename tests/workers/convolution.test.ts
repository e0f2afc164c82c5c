import { readFile } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assembleKernels } from '../../lab/generate/convolution-kernel.ts';
import type { WorkerPage } from '../../lab/support/worker-page.ts';
import { compileKernel, type Memory } from '../../workers/runtime/convolution/kernel.ts';
import type { Plan } from '../../workers/runtime/convolution/plan.ts';
import {
  type Convolution,
  type Network,
  readNetwork,
} from '../../workers/runtime/convolution/read-network.ts';
import { openConvolutions } from '../../workers/runtime/convolution/session.ts';
import { openSharedWorkerPage } from '../support/browser/worker-page.ts';
import { drawSubjectPicture } from '../support/media/subject-picture.ts';

// Node 20 has the instruction, but not as a matter of course.
setFlagsFromString('--experimental-wasm-relaxed-simd');

const BUILDS = ['convolution', 'convolution-fused'];
const programOf = async (build: string) =>
  compileKernel(new Uint8Array(await readFile(`workers/runtime/convolution/${build}.wasm`)));
const networkOf = async (name: string) =>
  readNetwork(new Uint8Array(await readFile(`models/weights/${name}.onnx`)));

/** The same numbers at each call, between -`most` and `most`. */
function numbers(count: number, most: number): Float32Array<ArrayBuffer> {
  let state = 1;
  return Float32Array.from({ length: count }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return most * ((2 * state) / 2_147_483_647 - 1);
  });
}

async function enlarge(
  build: string,
  network: Network,
  dims: readonly number[],
  data: Float32Array<ArrayBuffer>,
) {
  const session = await openConvolutions({
    network,
    program: await programOf(build),
    threadCount: 1,
    startHelper: () => Promise.reject(new Error('one thread is enough')),
  });
  const { signal } = new AbortController();
  const image = { type: 'float32', dims, data } as const;
  // The second run finds what the first has left.
  await session.run({ image }, signal);
  const { enlarged } = await session.run({ image }, signal);
  await session.release();
  if (enlarged?.type !== 'float32') throw new Error('no floats');
  return enlarged;
}

function expectClose(actual: Float32Array, expected: Float32Array, most: number): void {
  expect(actual).toHaveLength(expected.length);
  const worst = actual.reduce((so, value, at) => Math.max(so, Math.abs(value - (expected[at] ?? 0))), 0);
  expect(worst).toBeLessThan(most);
}

/** Samples by channel, row and column. */
interface Planes {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

/** The sums of a convolution as its definition has them, with zeros around the planes. */
function convolve({ width, height, data }: Planes, { dims, weights, bias }: Convolution): Planes {
  const [outputs = 0, inputs = 0] = dims;
  const at = (channel: number, y: number, x: number) =>
    y < 0 || x < 0 || y >= height || x >= width ? 0 : (data[(channel * height + y) * width + x] ?? 0);
  const sums = Float32Array.from({ length: outputs * height * width }, (_, index) => {
    const [x, y] = [index % width, Math.floor(index / width) % height];
    const output = Math.floor(index / width / height);
    let sum = bias[output] ?? 0;
    for (let place = 0; place < inputs * 9; place++) {
      const [input, row, column] = [Math.floor(place / 9), Math.floor(place / 3) % 3, place % 3];
      sum += at(input, y + row - 1, x + column - 1) * (weights[output * inputs * 9 + place] ?? 0);
    }
    return sum;
  });
  return { width, height, data: sums };
}

const combine = (planes: Planes, change: (value: number, at: number) => number): Planes => ({
  ...planes,
  data: planes.data.map(change),
});
const add = (one: Planes, other: Planes) => combine(one, (value, at) => value + (other.data[at] ?? 0));
const activate = (planes: Planes) => combine(planes, (value) => Math.max(value, 0.1 * value));

/** Runs `FineUpscaler` of lab/training/upscale/model.py without its bicubic enlargement. */
function correctionOf({ convolutions }: Network, image: Planes): Planes {
  const [first, ...others] = convolutions;
  const last = others.pop();
  if (!first || !last) throw new Error('too few convolutions');
  const features = convolve(
    combine(image, (value) => value - 0.5),
    first,
  );
  let sum = features;
  for (let at = 0; at < others.length; at += 2) {
    const [one, two] = others.slice(at, at + 2) as [Convolution, Convolution];
    sum = add(sum, convolve(activate(convolve(sum, one)), two));
  }
  return convolve(activate(add(sum, features)), last);
}

/** Puts the samples that come from one where they belong. */
function shuffle({ width, height, data }: Planes, scale: number): Float32Array {
  const [across, down] = [width * scale, height * scale];
  return Float32Array.from({ length: 3 * across * down }, (_, index) => {
    const [x, y, plane] = [
      index % across,
      Math.floor(index / across) % down,
      Math.floor(index / across / down),
    ];
    const channel = (plane * scale + (y % scale)) * scale + (x % scale);
    return data[(channel * height + Math.floor(y / scale)) * width + Math.floor(x / scale)] ?? 0;
  });
}

function createNetwork(width: number, scale: number): Network {
  const layer = (outputs: number, inputs: number): Convolution => ({
    dims: [outputs, inputs, 3, 3],
    weights: numbers(outputs * inputs * 9, 1 / Math.sqrt(inputs)),
    bias: numbers(outputs, 0.5),
  });
  const samples = 3 * scale ** 2;
  return {
    names: ['image', 'enlarged'],
    isHalved: false,
    convolutions: [layer(width, 3), ...[1, 2, 3, 4].map(() => layer(width, width)), layer(samples, width)],
    bicubic: new Float32Array((25 * samples) / 3),
  };
}

describe.each(BUILDS)('the kernel %s', (build) => {
  test.each([
    [1, 1, 8, 2],
    [3, 5, 48, 2],
    [4, 4, 16, 4],
    [13, 9, 24, 2],
    // More tiles than a batch has, and rows that end within a tile.
    [103, 6, 8, 4],
  ])(
    'convolves %i x %i pixels with %i channels as the definition says, %i times enlarged',
    async (width, height, channels, scale) => {
      const network = createNetwork(channels, scale);
      const data = numbers(3 * width * height, 1);
      const { dims, data: actual } = await enlarge(build, network, [1, 3, height, width], data);
      expect(dims).toEqual([1, 3, height * scale, width * scale]);
      const expected = shuffle(correctionOf(network, { width, height, data }), scale);
      const largest = expected.reduce((so, value) => Math.max(so, Math.abs(value)), 1);
      expectClose(actual, expected, 1e-4 * largest);
    },
  );

  test.each([
    ['upscale-x2', 53, 37],
    ['upscale-x4', 45, 61],
    ['upscale-restore-x2', 64, 33],
    ['upscale-fast-x2', 46, 62],
  ])('gives what onnxruntime gives for %s', async (name, width, height) => {
    const dims = [1, 3, height, width];
    const data = numbers(3 * width * height, 0.5).map((value) => value + 0.5);
    const reference = await InferenceSession.create(`models/weights/${name}.onnx`, { logSeverityLevel: 4 });
    const { enlarged } = await reference.run({ image: new Tensor('float32', data, dims) });
    const expected = enlarged?.data as Float32Array;
    const actual = await enlarge(build, await networkOf(name), dims, data);
    expect(actual.dims).toEqual(enlarged?.dims);
    expectClose(actual.data, expected, 1e-4);
    const levels = (values: Float32Array) =>
      values.map((value) => Math.round(255 * Math.min(Math.max(value, 0), 1)));
    expectClose(levels(actual.data), levels(expected), 2);
    await reference.release();
  });
});

test('a session takes images of several sizes, one after the other', async () => {
  const session = await openConvolutions({
    network: await networkOf('upscale-fast-x2'),
    program: await programOf('convolution'),
    threadCount: 2,
    startHelper: () => Promise.reject(new Error('this helper cannot start')),
  });
  const { signal } = new AbortController();
  const run = async (width: number, height: number) => {
    const data = numbers(3 * width * height, 1);
    const { enlarged } = await session.run(
      { image: { type: 'float32', dims: [1, 3, height, width], data } },
      signal,
    );
    return enlarged?.data;
  };
  const first = await run(20, 34);
  await run(62, 6);
  expect(await run(20, 34)).toEqual(first);
  await expect(run(21, 34)).rejects.toThrow(RangeError);
});

const never = new Promise<never>(() => {});
test.each([
  ['before a run', () => never],
  [
    'within a row',
    ({ counters: [at] }: Plan, { buffer }: Memory) => {
      Atomics.add(new Int32Array(buffer), at / 4, 1);
      return never;
    },
  ],
])('a run fails where a thread has ended %s', { timeout: 60_000 }, async (_when, share) => {
  const session = await openConvolutions({
    network: await networkOf('upscale-fast-x2'),
    program: await programOf('convolution'),
    threadCount: 2,
    startHelper: async (_program, memory) => ({ share: (plan) => share(plan, memory), end() {} }),
  });
  const image = { type: 'float32', dims: [1, 3, 34, 20], data: numbers(3 * 34 * 20, 1) } as const;
  await expect(session.run({ image }, new AbortController().signal)).rejects.toThrow(/thread has ended/);
});

test('graphs that are no upscalers of ours are refused', async () => {
  await expect(networkOf('overlap')).rejects.toThrow(RangeError);
  expect(() => readNetwork(new Uint8Array())).toThrow(RangeError);
});

test('the builds are those of the text, and their sizes are known', async () => {
  const sizes = (await readFile('workers/runtime/assets.ts', 'utf8')).replaceAll(/\s|_/g, '');
  for (const [path, program] of Object.entries(await assembleKernels())) {
    expect((await readFile(path)).equals(program), path).toBe(true);
    expect(sizes.includes(`${path}',import.meta.url),${program.length}`), `size of ${path}`).toBe(true);
  }
});

describe('enlarging in the browser', () => {
  let page: WorkerPage;
  beforeAll(async () => {
    page = await openSharedWorkerPage();
  });
  afterAll(() => page.stop());

  const enlargePicture = async (on: WorkerPage) =>
    await on.operate('upscale', await drawSubjectPicture(64, 48), {});

  test('uses the kernel and its threads, and loads no other runtime', async () => {
    expect(await enlargePicture(page)).toMatchObject({
      ok: true,
      engine: 'darkroom on wasm',
      warnings: [],
    });
    const names = page.requests.map(({ url }) => url.slice(url.lastIndexOf('/') + 1));
    expect(names).toEqual(expect.arrayContaining(['convolution-fused.wasm', 'convolution-helper.js']));
    expect(names.filter((name) => name.startsWith('ort'))).toEqual([]);
  });

  test('uses onnxruntime where the browser ends a thread within a run, and says so', async () => {
    const ending = `const { add } = Atomics;
      let calls = 0;
      Atomics.add = (...counter) => {
        const value = add(...counter);
        if (++calls < 3) return value;
        close();
        throw new Error('the thread ends within a row');
      };`;
    const script = await readFile('workers/vendor/convolution-helper.js', 'utf8');
    const own = await openSharedWorkerPage({ helper: `${ending}\n${script}` });
    try {
      expect(await enlargePicture(own)).toMatchObject({
        ok: true,
        engine: 'darkroom on wasm by onnxruntime',
        warnings: [{ kind: 'other_provider' }],
      });
    } finally {
      await own.stop();
    }
  });

  test('uses onnxruntime where the kernel cannot be loaded, and says so', async () => {
    const own = await openSharedWorkerPage();
    try {
      await own.page.route('**/convolution*.wasm', (route) => route.abort());
      expect(await enlargePicture(own)).toMatchObject({
        ok: true,
        engine: 'darkroom on wasm by onnxruntime',
        warnings: [{ kind: 'other_provider' }],
      });
    } finally {
      await own.stop();
    }
  });
});
