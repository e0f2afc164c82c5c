import { type InferenceDevice, inferenceDeviceOf } from '../../../models/inference/inference-device.ts';
import { reportDevice } from '../report-device.ts';

let probed: Promise<InferenceDevice> | undefined;

/** Asks the browser, once. Never rejects. */
export function inferenceDevice(): Promise<InferenceDevice> {
  probed ??= reportDevice().then(inferenceDeviceOf);
  return probed;
}
