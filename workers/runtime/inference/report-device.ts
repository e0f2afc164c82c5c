import type { ReportedDevice } from '../../../models/core/device/inference-device.ts';
import { requestGpuAdapter } from './request-gpu-adapter.ts';

let reported: Promise<ReportedDevice> | undefined;

/** Asks the browser about this device, once on a page or in a worker. Never rejects. */
export function reportDevice(): Promise<ReportedDevice> {
  reported ??= askBrowser();
  return reported;
}

async function askBrowser(): Promise<ReportedDevice> {
  const adapter = await requestGpuAdapter().catch(() => null);
  const { deviceMemory = null } = navigator as Navigator & { readonly deviceMemory?: number };
  return {
    gpu: adapter && { hasFloat16: adapter.features.has('shader-f16') },
    coreCount: navigator.hardwareConcurrency || 1,
    isIsolated: globalThis.crossOriginIsolated,
    memoryGb: deviceMemory,
  };
}
