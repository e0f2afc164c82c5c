import { getInferenceDevice, type InferenceDevice } from '../../../models/core/device/inference-device.ts';
import { reportDevice } from './report-device.ts';

/** Returns what the browser reports about this device, as far as models depend on it. Never rejects. */
export async function inferenceDevice(): Promise<InferenceDevice> {
  return getInferenceDevice(await reportDevice());
}
