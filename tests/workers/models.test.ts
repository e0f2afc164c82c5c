import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Inferred } from '../../lab/support/page/outcome.ts';
import { openWorkerPage, type WorkerPage } from '../../lab/support/worker-page.ts';
import type { FloatImage } from '../../models/core/runtime/raster.ts';
import type { WeightCard } from '../../models/core/runtime/weight-card.ts';
import { predictMatte } from '../../models/matting/find-subject.ts';
import { MATTE_MODELS } from '../../models/matting/matte-models.ts';
import { encodeOnnxModel } from '../../server/ops/build/graphs/onnx.ts';
import { FAULTY_GRAPHS } from '../support/models/faulty-graphs.ts';
import { createMatteModel } from '../support/models/matte.ts';
import { createMattingInference } from '../support/models/matting-inference.ts';
import { createWeightCard } from '../support/service/weight-files.ts';

type Evaluated<Value> = { ok: true; value: Value } | { ok: false; error: { message: string } };

const ROOMY = { threadCount: 2, wasmBytesMax: 8e9, gpuBytesMax: 8e9 };
const WASM = { ...ROOMY, gpu: null };
const GPU = { ...ROOMY, gpu: { hasFloat16: false } };
/** Chromium's software GPU: slow, so it gets small graphs. */
const SOFTWARE_GPU = ['--enable-unsafe-webgpu'];

interface Compared {
  readonly providers: readonly string[];
  readonly times: readonly { readonly gpuMs: number; readonly wasmMs: number }[];
  readonly listed: readonly number[];
}

const { signal } = new AbortController();

let page: WorkerPage;
beforeAll(async () => {
  page = await openWorkerPage({ flags: SOFTWARE_GPU });
});
afterAll(() => page.stop());

const numbers = (base64: string) => {
  const bytes = Buffer.from(base64, 'base64');
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
};

function largestGap(one: Float32Array, other: Float32Array): number {
  expect(one.length).toBe(other.length);
  return one.reduce((gap, value, at) => Math.max(gap, Math.abs(value - (other[at] as number))), 0);
}

async function call<Value>(name: string, ...given: unknown[]): Promise<Value> {
  const list = given.map((value) => JSON.stringify(value)).join(', ');
  const evaluated = await page.page.evaluate<Evaluated<Value>>(`${name}(${list})`);
  if (!evaluated.ok) throw new Error(evaluated.error.message);
  return evaluated.value;
}

/** Image of colours that increase in all directions. */
const picture: FloatImage = {
  width: 60,
  height: 40,
  channels: 3,
  data: Float32Array.from({ length: 60 * 40 * 3 }, (_, at) => ((at * 7919) % 1000) / 999),
};

describe('models of remove-bg on WebAssembly', () => {
  const title = '%s gives the same matte as in Node';
  const cases = MATTE_MODELS.map((network) => [network.card.id, network] as const);
  const isSmall = ([id]: (typeof cases)[number]) => ['u2netp', 'selfie-segmentation'].includes(id);
  test.each(cases.filter(isSmall))(title, expectSameMatte);
  test.each(cases.filter((each) => !isSmall(each)))(title, { tags: ['long'] }, expectSameMatte);

  async function expectSameMatte(id: string, network: (typeof MATTE_MODELS)[number]): Promise<void> {
    const path = await page.put(new Blob([createMatteModel(id)]));
    const { width, height } = picture;
    const rgb = Array.from(picture.data);
    const predicted = await call<Inferred<string>>('predict', id, path, { width, height, rgb }, WASM);
    expect(predicted).toMatchObject({ provider: 'wasm', notices: [] });
    const inNode = await createMattingInference([id]).use(network.card, { signal }, (session) =>
      predictMatte(network, session, picture, { signal }),
    );
    expect(largestGap(numbers(predicted.values), inNode.matte.data)).toBeLessThan(1 / 255);
  }

  test('a model with 16-bit inputs runs as well', { tags: ['long'] }, async () => {
    const path = await page.put(new Blob([createMatteModel('modnet-fp16', 'float16')]));
    const { width, height } = picture;
    const given = { width, height, rgb: Array.from(picture.data) };
    const halves = await call<Inferred<string>>('predict', 'modnet-fp16', path, given, WASM);
    const wholePath = await page.put(new Blob([createMatteModel('modnet-fp16')]));
    const wholes = await call<Inferred<string>>('predict', 'modnet-fp16', wholePath, given, WASM);
    expect(largestGap(numbers(halves.values), numbers(wholes.values))).toBeLessThan(1 / 255);
  });
});

describe('a provider that fails on WebAssembly', { tags: ['long'] }, () => {
  const inferring = async (fault: keyof typeof FAULTY_GRAPHS) => {
    const graph = FAULTY_GRAPHS[fault];
    const path = await page.put(new Blob([graph]));
    return call<Inferred<string>[]>('infer', createWeightCard(graph), path, WASM, { losesGpu: false });
  };

  test('is replaced by the next when it computes only zeros, with one notice', async () => {
    const provider = 'wasm with one thread';
    expect(await inferring('zeros')).toMatchObject([
      { provider, notices: [{ message: `wasm computed nothing but zeros; ${provider} was used instead.` }] },
      { provider, notices: [] },
    ]);
  });

  test.each([
    ['noNumbers', /wasm computed values that are no numbers; wasm with one thread computed values that are/],
    ['tooLarge', /wasm failed \(.*\); wasm with one thread failed \(/],
  ] as const)('is replaced until none is left when the result is %s', async (fault, words) => {
    await expect(inferring(fault)).rejects.toThrow(words);
  });
});

describe('warm models', { tags: ['long'] }, () => {
  test('stay within their memory limit, and the least recently used is evicted', async () => {
    const networks = await Promise.all(
      [1, 2, 3].map(async (factor) => {
        const graph = encodeOnnxModel({
          inputs: [{ name: 'x', type: 'float32', dims: [1, 2] }],
          outputs: [{ name: 'y', type: 'float32', dims: [1, 2] }],
          nodes: [{ op: 'Mul', inputs: ['x', 'factor'], outputs: ['y'] }],
          constants: { factor: { dims: [1], values: [factor] } },
        });
        const card = createWeightCard(graph, { id: `times-${factor}`, memoryBytes: 100 });
        return { card, url: await page.put(new Blob([graph])) };
      }),
    );
    const order = [1, 2, 1, 3, 1, 2].map((factor) => networks[factor - 1]);
    const tight = { ...WASM, wasmBytesMax: 250 };
    const before = page.requests.length;
    const { opened, shown } = await call<{ opened: string[]; shown: number[] }>('runInTurn', order, tight);
    expect(opened).toEqual(['times-1', 'times-2', 'times-3', 'times-2']);
    // The runtime is loaded once, and its progress is reported from first to last byte.
    const programs = page.requests.slice(before).filter(({ url }) => url.endsWith('.wasm'));
    expect(programs).toHaveLength(1);
    expect(shown.length).toBeGreaterThan(2);
    expect(shown).toEqual(shown.toSorted((one, other) => one - other));
    expect(shown[0]).toBeLessThan(1);
    expect(shown.at(-1)).toBe(1);
  });
});

describe('a comparison with WebAssembly', () => {
  const compare = (side: number, gpuMs: number, endAfterMs?: number) =>
    page.page.evaluate(`compareKept(${[side, gpuMs, endAfterMs].join(', ')})`);
  const comparing = () => page.page.workers().filter((worker) => worker.url().includes('one-shot'));

  test('keeps the times of both where no call ends it, and none of a comparison that was ended', {
    tags: ['long'],
  }, async () => {
    // Whether it has begun to compute by then does not matter: it cannot have ended.
    expect(await compare(2_000, 1, 300)).toBeNull();
    await expect.poll(comparing).toEqual([]);
    expect(await compare(32, 12_345)).toMatchObject({ gpuMs: 12_345, wasmMs: expect.any(Number) });
  });
});

describe('a small model on a graphics card', { tags: ['long'] }, () => {
  const SIDE = 48;
  const graph = encodeOnnxModel({
    inputs: [{ name: 'x', type: 'float32', dims: [1, 1, SIDE, SIDE] }],
    outputs: [{ name: 'y', type: 'float32', dims: [1, 2, SIDE - 2, SIDE - 2] }],
    nodes: [
      { op: 'Conv', inputs: ['x', 'weight', 'bias'], outputs: ['c'] },
      { op: 'Sigmoid', inputs: ['c'], outputs: ['s'] },
      { op: 'Mul', inputs: ['s', 'c'], outputs: ['y'] },
    ],
    constants: {
      weight: { dims: [2, 1, 3, 3], values: Array.from({ length: 18 }, (_, at) => (at - 8) / 7) },
      bias: { dims: [2], values: [0.3, -0.4] },
    },
  });
  const card = createWeightCard(graph);
  const inferring = async (given: WeightCard, device: object, losesGpu = false) =>
    call<Inferred<string>[]>('infer', given, await page.put(new Blob([graph])), device, { losesGpu });

  test('gives the result of WebAssembly', async () => {
    const [[onGpu], [onWasm]] = [await inferring(card, GPU), await inferring(card, WASM)];
    expect([onGpu?.provider, onGpu?.notices, onWasm?.provider]).toEqual(['webgpu', [], 'wasm']);
    expect(largestGap(numbers(onGpu?.values ?? ''), numbers(onWasm?.values ?? ''))).toBeLessThan(1e-4);
  });

  test('runs on WebAssembly from the next session on, where a run has shown that the card is slower', async () => {
    const { providers, times, listed } = await call<Compared>(
      'compareProviders',
      card,
      await page.put(new Blob([graph])),
      GPU,
    );
    const [{ gpuMs = 0, wasmMs = 0 } = {}] = times;
    expect(wasmMs).toBeGreaterThan(0);
    expect(listed).toEqual([1, 0]);
    // The card is software here, and slower on most machines, but which of both it is decides.
    expect(providers).toEqual(['webgpu', 'webgpu', wasmMs < gpuMs ? 'wasm' : 'webgpu']);
  });

  test('is not run with 16-bit numbers that the card lacks', async () => {
    const [run] = await inferring({ ...card, precision: 'fp16' }, GPU);
    expect(run).toMatchObject({ provider: 'wasm', notices: [] });
  });

  test('continues on WebAssembly with a notice when the card is lost', async () => {
    const [before, after] = await inferring(card, GPU, true);
    expect(before).toMatchObject({ provider: 'webgpu', notices: [] });
    expect(after).toMatchObject({
      provider: expect.stringContaining('wasm'),
      notices: [
        { message: expect.stringMatching(/^webgpu failed \(the GPU device was lost.*\); wasm.* was used/) },
      ],
    });
    expect(numbers(after?.values ?? '')[100]).toBeCloseTo(numbers(before?.values ?? '')[100] as number, 4);
  });

  test('is unavailable where its memory is too small', async () => {
    const tight = { ...GPU, wasmBytesMax: 1, gpuBytesMax: 1 };
    await expect(inferring(card, tight)).rejects.toThrow(/No engine can run the model/);
  });
});
