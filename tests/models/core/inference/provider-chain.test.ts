import { describe, expect, it } from 'vitest';
import { type Provider, ProviderChain } from '../../../../models/core/inference/provider-chain.ts';
import { OperationError } from '../../../../models/core/operation/errors.ts';
import { getMessages } from '../../../../models/core/runtime/run-warnings.ts';
import type { Tensor } from '../../../../models/core/runtime/tensor.ts';

const { signal } = new AbortController();

const numbers = (...values: number[]): Tensor => ({
  type: 'float32',
  dims: [values.length],
  data: Float32Array.from(values),
});

interface Played extends Provider {
  released: number;
}

function provider(name: string, compute: () => Tensor): Played {
  const played: Played = {
    name,
    released: 0,
    async open() {
      return {
        inputs: [],
        outputs: [],
        run: async () => ({ y: compute() }),
        release: async () => void played.released++,
      };
    },
  };
  return played;
}

const cannotOpen: Provider = { name: 'gpu', open: () => Promise.reject(new Error('no adapter')) };
const away: Provider = {
  name: 'inference server',
  async open() {
    throw new OperationError('unavailable', 'the connection failed.', { kind: 'server_unreachable' });
  },
};
const cpu = () => provider('cpu', () => numbers(1, 2));
const failing = (message: string) =>
  provider('gpu', () => {
    throw new Error(message);
  });

describe('a chain of providers', () => {
  it.each<[string, Provider[], string]>([
    ['a server is away', [away, cannotOpen], 'server_unreachable'],
    ['none is elsewhere', [cannotOpen, cannotOpen], 'model_unusable'],
  ])('says why none can open the graph when %s', async (_, providers, kind) => {
    await expect(ProviderChain.open(providers, signal)).rejects.toMatchObject({ code: 'unavailable', kind });
  });

  it('uses the first provider without a notice when it works', async () => {
    const chain = await ProviderChain.open([cpu(), failing('unused')], signal);
    expect(await chain.run({}, signal)).toEqual({
      outputs: { y: numbers(1, 2) },
      provider: 'cpu',
      notices: [],
    });
  });

  it('uses the next provider when one cannot open the graph, and reports it once', async () => {
    const chain = await ProviderChain.open([cannotOpen, cpu()], signal);
    const first = await chain.run({}, signal);
    expect(first.notices).toEqual([
      {
        kind: 'other_provider',
        names: ['gpu cannot open the model (no adapter)', 'cpu'],
        message: 'gpu cannot open the model (no adapter); cpu was used instead.',
      },
    ]);
    expect((await chain.run({}, signal)).notices).toEqual([]);
  });

  it('keeps the last provider when the memory is too small, for a smaller run', async () => {
    let calls = 0;
    const chain = await ProviderChain.open(
      [
        provider('cpu', () => {
          calls += 1;
          if (calls === 1) throw new Error('Failed to allocate memory for requested buffer of size 64');
          return numbers(1, 2);
        }),
      ],
      signal,
    );
    await expect(chain.run({}, signal)).rejects.toMatchObject({ code: 'unavailable', kind: 'out_of_memory' });
    expect(await chain.run({}, signal)).toMatchObject({ provider: 'cpu', notices: [] });
  });

  it.each([
    ['is lost', () => failing('device lost'), 'gpu failed (device lost); cpu was used instead.'],
    [
      'computes NaN',
      () => provider('gpu', () => numbers(1, Number.NaN)),
      'gpu computed values that are no numbers; cpu was used instead.',
    ],
    [
      'computes infinities',
      () => provider('gpu', () => numbers(1, Number.POSITIVE_INFINITY)),
      'gpu computed values that are no numbers; cpu was used instead.',
    ],
    [
      'computes nothing but zeros',
      () => provider('gpu', () => numbers(0, 0)),
      'gpu computed nothing but zeros; cpu was used instead.',
    ],
  ])('continues the run with the next provider when one %s', async (_, first, notice) => {
    const gpu = first();
    const chain = await ProviderChain.open([gpu, cpu()], signal);
    const { outputs, provider: used, notices } = await chain.run({}, signal);
    expect({ outputs, used, notices: getMessages(notices) }).toEqual({
      outputs: { y: numbers(1, 2) },
      used: 'cpu',
      notices: [notice],
    });
    expect(gpu.released).toBe(1);
  });

  it('reports whether it has abandoned a provider', async () => {
    const chain = await ProviderChain.open([failing('device lost'), cpu()], signal);
    expect(chain.isFallback).toBe(false);
    await chain.run({}, signal);
    expect(chain.isFallback).toBe(true);
    expect((await ProviderChain.open([cannotOpen, cpu()], signal)).isFallback).toBe(true);
  });

  it('accepts zeros from the last provider', async () => {
    const chain = await ProviderChain.open([provider('cpu', () => numbers(0, 0))], signal);
    expect((await chain.run({}, signal)).outputs).toEqual({ y: numbers(0, 0) });
  });

  it('names every provider when none works', async () => {
    const chain = await ProviderChain.open([failing('device lost')], signal);
    await expect(chain.run({}, signal)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'No engine can run the model: gpu failed (device lost).',
    });
    await expect(ProviderChain.open([cannotOpen], signal)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('does not treat an abort as a failure of the provider', async () => {
    const ending = new AbortController();
    const gpu = provider('gpu', () => {
      ending.abort();
      throw new Error('broken off');
    });
    const chain = await ProviderChain.open([gpu, cpu()], signal);
    await expect(chain.run({}, ending.signal)).rejects.toThrow('broken off');
    expect(gpu.released).toBe(0);
  });
});
