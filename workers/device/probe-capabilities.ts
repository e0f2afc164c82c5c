import { getMessage } from '../../models/core/operation/errors.ts';
import { requestGpuAdapter } from '../runtime/inference/report-device.ts';
import { canShareMemory } from '../runtime/shared-memory.ts';
import type { Capabilities, GpuFacts } from './placement.ts';

/** One common profile per codec: WebCodecs codec registry. */
const VIDEO_CODECS: Readonly<Record<string, string>> = {
  'H.264': 'avc1.42001f',
  HEVC: 'hvc1.1.6.L93.B0',
  VP8: 'vp8',
  VP9: 'vp09.00.10.08',
  AV1: 'av01.0.04M.08',
};

/** Probes everything once. Never rejects: a failed probe counts as missing. */
export async function probeCapabilities(): Promise<Capabilities> {
  const [gpu, hasFileStore, videoDecoders, videoEncoders] = await Promise.all([
    probeGpu(),
    orFalse(() => navigator.storage.getDirectory()),
    filterAsync(Object.keys(VIDEO_CODECS), async (name) => {
      const { supported } = await VideoDecoder.isConfigSupported({ codec: VIDEO_CODECS[name] ?? '' });
      return supported;
    }),
    filterAsync(Object.keys(VIDEO_CODECS), async (name) => {
      const codec = VIDEO_CODECS[name] ?? '';
      return (await VideoEncoder.isConfigSupported({ codec, width: 640, height: 480 })).supported;
    }),
  ]);
  const { deviceMemory }: Navigator & { readonly deviceMemory?: number } = navigator;
  return {
    gpu: typeof gpu === 'string' ? null : gpu,
    gpuMissing: typeof gpu === 'string' ? gpu : null,
    coreCount: navigator.hardwareConcurrency || 1,
    isIsolated: canShareMemory(),
    memoryGb: deviceMemory ?? null,
    hasFileStore,
    videoDecoders,
    videoEncoders,
  };
}

/**
 * Probes WebGPU.
 * @returns the reason in place of facts when there is none
 */
async function probeGpu(): Promise<GpuFacts | string> {
  if (!('gpu' in navigator)) return 'This browser has no WebGPU.';
  try {
    const adapter = await requestGpuAdapter();
    if (!adapter) return 'WebGPU found no usable GPU.';
    const { vendor, architecture, device, description } = adapter.info;
    return {
      name: description || [vendor, architecture, device].filter(Boolean).join(' ') || 'unnamed',
      hasFloat16: adapter.features.has('shader-f16'),
      bufferBytesMax: adapter.limits.maxStorageBufferBindingSize,
    };
  } catch (thrown) {
    return `WebGPU failed: ${getMessage(thrown)}`;
  }
}

async function filterAsync<Item>(
  items: readonly Item[],
  holds: (item: Item) => Promise<boolean | undefined>,
): Promise<Item[]> {
  const held = await Promise.all(items.map((item) => orFalse(() => holds(item))));
  return items.filter((_, index) => held[index]);
}

async function orFalse(work: () => Promise<unknown>): Promise<boolean> {
  try {
    return Boolean(await work());
  } catch {
    return false;
  }
}
