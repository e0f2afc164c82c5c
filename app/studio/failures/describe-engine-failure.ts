import type { EngineFailure } from '../../../models/core/device/fit.ts';
import type { FailureKind } from '../../../models/core/operation/errors.ts';

interface Words {
  /** Continues the engine's name. */
  readonly reason: string;
  readonly mayRetry: boolean;
}

const NOT_DOWNLOADED: Words = {
  reason: 'could not be downloaded. Check the connection, then choose it again. What has arrived is kept.',
  mayRetry: true,
};
const TOO_LARGE: Words = {
  reason: 'could not run on this device. It needs more memory or graphics than this browser gives it.',
  mayRetry: false,
};

/** Failures that an engine itself may have. Any other is no reason to choose another engine. */
const WORDS: Readonly<Partial<Record<FailureKind, Words>>> = {
  storage_full: {
    reason:
      'was not stored: this browser has no room left. Delete models or results under This device, then choose it again. What has arrived is kept.',
    mayRetry: true,
  },
  model_unreachable: NOT_DOWNLOADED,
  part_missing: NOT_DOWNLOADED,
  model_damaged: {
    reason: 'arrived damaged. Check the connection, then choose it again.',
    mayRetry: true,
  },
  model_unusable: TOO_LARGE,
  out_of_memory: TOO_LARGE,
  fault: {
    reason: 'failed here: something went wrong in Darkroom. Choose it again, or choose another one.',
    mayRetry: true,
  },
};

/**
 * Says what happened to an engine, and what to do.
 * @param kind of the run's failure; undefined for an unexpected one
 * @returns null for a failure that has nothing to do with the engine
 */
export function describeEngineFailure(name: string, kind: FailureKind = 'fault'): EngineFailure | null {
  const words = WORDS[kind];
  return words ? { ...words, reason: `${name} ${words.reason}` } : null;
}

/** Reports whether a run failed because files of it could not be downloaded. */
export function isNotDownloaded(kind: FailureKind | undefined): boolean {
  return kind !== undefined && WORDS[kind] === NOT_DOWNLOADED;
}
