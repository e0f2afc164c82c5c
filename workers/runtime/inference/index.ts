import { type Provider, ProviderChain } from '../../../models/inference/provider-chain.ts';
import { SessionCache } from '../../../models/inference/session-cache.ts';
import type { Inference, WeightOptions } from '../../../models/inference.ts';
import type { WeightCard } from '../../../models/weights/weight-card.ts';
import { openWeightStore } from '../weight-cache/index.ts';
import { type NetworkDevice, networkDevice } from './device.ts';
import { onnxProvider } from './onnx-provider.ts';

let cache: SessionCache | undefined;

/** Networks in a browser worker. Sessions stay warm as long as the worker. */
export const webInference: Inference = {
  async availability(card) {
    if (providersOf(card, await networkDevice(), { signal: NEVER }).length === 0) return 'unavailable';
    return (await (await openWeightStore()).has(card)) ? 'ready' : 'on-request';
  },
  async use(card, options, work) {
    const device = await networkDevice();
    cache ??= new SessionCache({ memoryBytesMax: device.wasmBytesMax });
    const open = () => ProviderChain.open(providersOf(card, device, options), options.signal);
    return cache.use(card, open, work);
  },
};

const NEVER = new AbortController().signal;

/**
 * The graphics card, then all threads, then one thread, in the build that has not yet failed to start. A graphics card
 * without 16-bit numbers cannot run `fp16`; WebAssembly reckons it in 32 bits.
 */
function providersOf(card: WeightCard, device: NetworkDevice, options: WeightOptions): Provider[] {
  const readWeights = async (signal: AbortSignal) =>
    (await openWeightStore()).read(card, { ...options, signal });
  const { gpu, threadCount, gpuBytesMax, wasmBytesMax } = device;
  const first = gpu ? 'webgpu' : 'wasm';
  const providers: Provider[] = [];
  if (gpu && (card.precision !== 'fp16' || gpu.hasFloat16) && card.memoryBytes <= gpuBytesMax) {
    providers.push(
      onnxProvider({ name: 'webgpu', build: first, executionProvider: 'webgpu', threadCount, readWeights }),
    );
  }
  if (card.memoryBytes > wasmBytesMax) return providers;
  const wasm = { executionProvider: 'wasm', readWeights } as const;
  providers.push(onnxProvider({ ...wasm, name: 'wasm', build: first, threadCount }));
  if (threadCount > 1) {
    const build = gpu ? 'wasm' : 'webgpu';
    providers.push(onnxProvider({ ...wasm, name: 'wasm with one thread', build, threadCount: 1 }));
  }
  return providers;
}
