import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { getMessages } from '../../../../models/core/runtime/run-warnings.ts';
import { floatTensor, getFloats } from '../../../../models/core/runtime/tensor.ts';
import type { WeightCard } from '../../../../models/core/runtime/weight-card.ts';
import { encodeOnnxModel } from '../../../../server/ops/build/graphs/onnx.ts';
import { NodeInference } from '../../../../server/runtime/inference/node-inference.ts';
import { WeightStore } from '../../../../server/runtime/weight-store/index.ts';
import { FAULTY_GRAPHS } from '../../../support/models/faulty-graphs.ts';
import { startInferenceServer } from '../../../support/servers/inference-server.ts';
import { createWeightCard } from '../../../support/service/weight-files.ts';

const { signal } = new AbortController();

/** y = x + x, for any width, in 32 or 16 bits. */
const doubling = (type: 'float32' | 'float16') =>
  encodeOnnxModel({
    inputs: [{ name: 'x', type, dims: [1, 'width'] }],
    outputs: [{ name: 'y', type, dims: [1, 'width'] }],
    nodes: [{ op: 'Add', inputs: ['x', 'x'], outputs: ['y'] }],
  });

/** Describes an input or output as an inference server does. */
const port = (name: string) => ({ name, datatype: 'FP32', shape: [1, -1] });

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'inference-'));
});

afterEach(() => vi.useRealTimers());
afterAll(() => rm(directory, { recursive: true }));

async function stored(model: Uint8Array<ArrayBuffer>, id: string): Promise<WeightCard> {
  await writeFile(join(directory, `${id}.onnx`), model);
  return createWeightCard(model, { id });
}

const inference = (endpoints: Record<string, string> = {}, memoryBytesMax = 100_000_000) =>
  new NodeInference({
    weights: new WeightStore({ directory, mirror: null, isOffline: true }),
    endpoints: new Map(Object.entries(endpoints)),
    memoryBytesMax,
  });

/** Runs the model on 1, 2.5 and -3. */
async function double(networks: NodeInference, card: WeightCard, type: 'float32' | 'float16' = 'float32') {
  const { outputs, ...how } = await networks.use(card, { signal }, (session) => {
    expect(session.inputs).toEqual([{ name: 'x', type, dims: [1, null] }]);
    return session.run({ x: floatTensor(type, [1, 3], Float32Array.of(1, 2.5, -3)) }, signal);
  });
  if (!outputs.y) throw new Error('no output');
  return { ...how, values: Array.from(getFloats(outputs.y)) };
}

describe('inference in Node', () => {
  it.each(['float32', 'float16'] as const)('runs a model in %s on the CPU', async (type) => {
    const card = await stored(doubling(type), `doubling-${type}`);
    const networks = inference();
    expect(await networks.availability(card)).toBe('ready');
    expect(await double(networks, card, type)).toEqual({ provider: 'cpu', notices: [], values: [2, 5, -6] });
  });

  it.each(['in this process', 'on an inference server'])(
    'computes the wanted outputs alone %s',
    async (place) => {
      const model = encodeOnnxModel({
        inputs: [{ name: 'x', type: 'float32', dims: [1, 'width'] }],
        outputs: ['y', 'z'].map((name) => ({ name, type: 'float32' as const, dims: [1, 'width'] })),
        nodes: [
          { op: 'Add', inputs: ['x', 'x'], outputs: ['y'] },
          { op: 'Neg', inputs: ['x'], outputs: ['z'] },
        ],
      });
      const server = await startInferenceServer(model);
      const card = await stored(model, 'two-outputs');
      const networks = inference(place === 'on an inference server' ? { [card.id]: server.url } : {});
      const x = floatTensor('float32', [1, 1], Float32Array.of(3));
      const getNames = (wanted?: readonly string[]) =>
        networks.use(card, { signal }, async (session) =>
          Object.keys((await session.run({ x }, signal, wanted)).outputs),
        );
      expect(await getNames(['z'])).toEqual(['z']);
      expect(await getNames()).toEqual(['y', 'z']);
      await server.stop();
    },
  );

  it.each(['float32', 'float16'] as const)('runs a model in %s on an inference server', async (type) => {
    const server = await startInferenceServer(doubling(type));
    const card = createWeightCard(doubling(type), { id: 'served', url: null });
    const networks = inference({ served: server.url });
    expect(await networks.availability(card)).toBe('ready');
    expect(await double(networks, card, type)).toEqual({
      provider: 'inference server',
      notices: [],
      values: [2, 5, -6],
    });
    expect(server.inferences).toBe(1);
    await server.stop();
  });

  it('distinguishes several inputs and outputs of an inference server', async () => {
    const model = encodeOnnxModel({
      inputs: ['a', 'b'].map((name) => ({ name, type: 'float32', dims: [2] })),
      outputs: ['sum', 'difference'].map((name) => ({ name, type: 'float32', dims: [2] })),
      nodes: [
        { op: 'Add', inputs: ['a', 'b'], outputs: ['sum'] },
        { op: 'Sub', inputs: ['a', 'b'], outputs: ['difference'] },
      ],
    });
    const server = await startInferenceServer(model);
    const card = createWeightCard(model, { id: 'served', url: null });
    const { outputs } = await inference({ served: server.url }).use(card, { signal }, (session) =>
      session.run(
        {
          a: floatTensor('float32', [2], Float32Array.of(5, 7)),
          b: floatTensor('float32', [2], Float32Array.of(1, 2)),
        },
        signal,
      ),
    );
    expect(outputs.sum?.data).toEqual(Float32Array.of(6, 9));
    expect(outputs.difference?.data).toEqual(Float32Array.of(4, 5));
    await server.stop();
  });

  it('computes in this process, with a notice, when the inference server stops midway', async () => {
    const card = await stored(doubling('float32'), 'doubling-served');
    const server = await startInferenceServer(doubling('float32'));
    const networks = inference({ 'doubling-served': server.url });
    await double(networks, card);
    await server.stop();
    const { provider, notices, values } = await double(networks, card);
    expect({ provider, values }).toEqual({ provider: 'cpu', values: [2, 5, -6] });
    expect(getMessages(notices)).toEqual([
      'inference server failed (the connection failed); cpu was used instead.',
    ]);
  });

  it.each([
    ['GET', 'cannot open the model (no response within 10 seconds)', 10_000],
    ['POST', 'failed (no response within 100 seconds)', 100_000],
  ] as const)(
    'computes in this process, with a notice, when an inference server accepts a %s and never responds',
    async (method, words, timeoutMs) => {
      const card = await stored(doubling('float32'), `silent-${method}`);
      const head = { inputs: [port('x')], outputs: [port('y')] };
      const server = createServer();
      const isAsked = new Promise<void>((resolve) => {
        server.on('request', (request, response) => {
          if (request.method === method) resolve();
          else response.end(JSON.stringify(head));
        });
      });
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const { port: number } = server.address() as AddressInfo;
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const doubled = double(inference({ [card.id]: `http://127.0.0.1:${number}` }), card);
      await isAsked;
      await vi.advanceTimersByTimeAsync(timeoutMs);
      expect(await doubled).toEqual({
        provider: 'cpu',
        notices: [expect.objectContaining({ message: `inference server ${words}; cpu was used instead.` })],
        values: [2, 5, -6],
      });
      server.closeAllConnections();
      server.close();
    },
  );

  it.each([
    ['zeros', 'computed nothing but zeros'],
    ['noNumbers', 'computed values that are no numbers'],
    ['tooLarge', 'failed (it responded 500'],
  ] as const)(
    'computes in this process, with a notice, when the output of the inference server is %s',
    async (fault, words) => {
      const model = encodeOnnxModel({
        inputs: [{ name: 'x', type: 'float32', dims: [1, 1] }],
        outputs: [{ name: 'y', type: 'float32', dims: [1, 1] }],
        nodes: [{ op: 'Add', inputs: ['x', 'x'], outputs: ['y'] }],
      });
      const card = await stored(model, `served-${fault}`);
      const server = await startInferenceServer(FAULTY_GRAPHS[fault]);
      const { provider, notices, outputs } = await inference({ [card.id]: server.url }).use(
        card,
        { signal },
        (session) => session.run({ x: floatTensor('float32', [1, 1], Float32Array.of(3)) }, signal),
      );
      expect([provider, outputs.y?.data]).toEqual(['cpu', Float32Array.of(6)]);
      expect(getMessages(notices)).toEqual([expect.stringContaining(`inference server ${words}`)]);
      expect(getMessages(notices)[0]).toMatch(/; cpu was used instead\.$/);
      await server.stop();
    },
  );

  it.each([
    ['noNumbers', /cpu computed values that are no numbers/],
    ['tooLarge', /cpu has too little memory for the model/],
  ] as const)('reports the reason when %s is the only option', async (fault, words) => {
    const card = await stored(FAULTY_GRAPHS[fault], `alone-${fault}`);
    const running = inference().use(card, { signal }, (session) =>
      session.run({ x: floatTensor('float32', [1, 1], Float32Array.of(3)) }, signal),
    );
    await expect(running).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(words),
    });
  });

  it('keeps models warm within its memory, and evicts the least recently used', async () => {
    const model = doubling('float32');
    // The same graph three times would be one model: their bytes distinguish them.
    const cards = await Promise.all(
      ['a', 'b', 'c'].map((id) => stored(new Uint8Array([...model, 0x1a, 1, id.charCodeAt(0)]), id)),
    );
    const store = new WeightStore({ directory, mirror: null, isOffline: true });
    const reads: string[] = [];
    const networks = new NodeInference({
      weights: {
        has: (card) => store.has(card),
        mayFetch: (card) => store.mayFetch(card),
        read(card, options) {
          reads.push(card.id);
          return store.read(card, options);
        },
      },
      endpoints: new Map(),
      memoryBytesMax: 2_500_000,
    });
    for (const at of [0, 1, 0, 2, 0, 1]) await double(networks, cards[at] as WeightCard);
    expect(reads).toEqual(['a', 'b', 'c', 'b']);
    expect(networks.bytes).toBe(2_000_000);
  });

  it('runs no damaged weights', async () => {
    const model = doubling('float32');
    const card = await stored(model, 'damaged');
    model[40] = (model[40] as number) ^ 1;
    await writeFile(join(directory, 'damaged.onnx'), model);
    await expect(double(inference(), card)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('reports weights that cannot be downloaded, and does not offer them again at once, in any process', {
    tags: ['long'],
  }, async () => {
    const process = () =>
      new NodeInference({
        weights: new WeightStore({ directory, mirror: 'http://127.0.0.1:9', isOffline: false }),
        endpoints: new Map(),
        memoryBytesMax: 100_000_000,
      });
    const networks = process();
    const card = createWeightCard(Buffer.from('not here'));
    expect(await networks.availability(card)).toBe('download');
    await expect(double(networks, card)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('test-weights: the weights cannot be downloaded'),
    });
    expect(await networks.availability(card)).toBe('unavailable');
    expect(await process().availability(card)).toBe('unavailable');
  });

  it('does not offer a model that needs more memory than available', async () => {
    const card = { ...(await stored(doubling('float32'), 'large')), memoryBytes: 2_000 };
    expect(await inference({}, 1_000).availability(card)).toBe('unavailable');
  });
});
