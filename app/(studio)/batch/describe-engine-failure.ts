import type { EngineFailure } from '../../../models/device-fit.ts';

/**
 * Says what happened to an engine, and what to do.
 * @param message of the run's error
 */
export function describeEngineFailure(name: string, message: string): EngineFailure {
  if (/no more storage/.test(message)) {
    const reason = `${name} was not stored: this browser has no room left. Delete models or results under This device, then choose it again. What is downloaded is kept.`;
    return { reason, mayRetry: true };
  }
  if (/weights cannot be downloaded|could not be loaded/.test(message)) {
    const reason = `${name} could not be downloaded. Check the connection, then choose it again. What is downloaded is kept.`;
    return { reason, mayRetry: true };
  }
  const reason = `${name} could not run on this device. It needs more memory or graphics than this browser gives it.`;
  return { reason, mayRetry: false };
}
