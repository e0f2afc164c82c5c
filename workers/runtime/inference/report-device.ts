import {
  getInferenceDevice,
  type InferenceDevice,
  type ReportedDevice,
} from '../../../models/core/runtime/inference-device.ts';
import { canShareMemory } from '../shared-memory.ts';

/** Chromium before 140 says on the adapter itself whether it is software. */
type Adapter = GPUAdapter & { readonly isFallbackAdapter?: boolean };

let reported: Promise<ReportedDevice> | undefined;

/** Asks the browser about this device, once on a page or in a worker. Never rejects. */
export function reportDevice(): Promise<ReportedDevice> {
  reported ??= askBrowser();
  return reported;
}

async function askBrowser(): Promise<ReportedDevice> {
  const adapter = await requestGpuAdapter().catch(() => null);
  const { deviceMemory }: Navigator & { readonly deviceMemory?: number } = navigator;
  return {
    gpu: adapter && { hasFloat16: adapter.features.has('shader-f16') },
    coreCount: navigator.hardwareConcurrency || 1,
    isIsolated: canShareMemory(),
    memoryGb: deviceMemory ?? null,
  };
}

/**
 * Asks the browser for its GPU.
 * @returns null without one. Software in its place is none: it takes twenty times as long as WebAssembly does.
 */
export async function requestGpuAdapter(): Promise<GPUAdapter | null> {
  const adapter: Adapter | null = (await navigator.gpu?.requestAdapter()) ?? null;
  const isSoftware = adapter?.isFallbackAdapter ?? adapter?.info.isFallbackAdapter;
  return isSoftware ? null : adapter;
}

/** Returns what the browser reports about this device, as far as models depend on it. Never rejects. */
export async function inferenceDevice(): Promise<InferenceDevice> {
  return getInferenceDevice(await reportDevice());
}
