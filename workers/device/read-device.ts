import type { Device } from '../../models/core/runtime/fit.ts';
import { getInferenceDevice, TAB_SHARE } from '../../models/core/runtime/inference-device.ts';
import { reportDevice } from '../runtime/inference/report-device.ts';
import { openWeightFolder } from '../runtime/weight-cache/weight-folder.ts';

/** Reads what this device offers to runs now. Never rejects. */
export async function readDevice(): Promise<Device> {
  const [report, freeBytes, stored] = await Promise.all([
    reportDevice(),
    readFreeBytes(),
    readStoredWeights(),
  ]);
  return {
    inference: getInferenceDevice(report),
    hasThreads: report.isIsolated,
    tabBytesMax: report.memoryGb === null ? null : report.memoryGb * 1e9 * TAB_SHARE,
    freeBytes,
    stored,
  };
}

async function readFreeBytes(): Promise<number | null> {
  const { quota, usage = 0 } = (await navigator.storage?.estimate().catch(() => null)) ?? {};
  return quota === undefined ? null : Math.max(0, quota - usage);
}

async function readStoredWeights(): Promise<ReadonlyMap<string, number> | null> {
  const folder = await openWeightFolder();
  return (await folder?.list().catch(() => null)) ?? null;
}
