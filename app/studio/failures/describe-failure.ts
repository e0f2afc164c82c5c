import { type FailureKind, OperationError } from '../../../models/core/operation/errors.ts';
import type { EngineFailure } from '../../../models/core/runtime/fit.ts';
import type { RunWarning, WarningKind } from '../../../models/core/runtime/run-warnings.ts';
import type { OperationId } from '../../../models/registry.ts';
import { isServerError, SERVER_FAILURE_TEXTS } from './server-error.ts';

interface EngineWords {
  /** Continues the engine's name. */
  readonly reason: string;
  readonly mayRetry: boolean;
}

const NOT_DOWNLOADED: EngineWords = {
  reason: 'could not be downloaded. Check the connection, then choose it again. What has arrived is kept.',
  mayRetry: true,
};

const TOO_LARGE: EngineWords = {
  reason: 'could not run on this device. It needs more memory or graphics than this browser gives it.',
  mayRetry: false,
};

/** Failures that an engine itself may have. Any other is no reason to choose another engine. */
const ENGINE_WORDS: Readonly<Partial<Record<FailureKind, EngineWords>>> = {
  storage_full: {
    reason:
      'was not stored: this browser has no room left. Delete models or results in the settings, then choose it again. What has arrived is kept.',
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

type Words = (names: readonly string[]) => string;

/** Words for the visitor in place of a message that names a part of the API. */
const WORDS: Readonly<Partial<Record<WarningKind, Words>>> = {
  replaced: ([failed, ran]) =>
    `The model ${failed} could not be used this time. The model ${ran} took its place.`,
  fallback: () => 'Only the model that comes with Darkroom was available. The outline may be less exact.',
  other_provider: () => 'The fastest way to run the model failed, so a slower one did the work.',
  no_metadata: ([format = '']) =>
    `${format.toUpperCase()} files hold no location, date, camera or colour profile, so they were removed.`,
  weak_fill: ([cause]) => `This is a simple fill, and ${cause}. Look at it closely.`,
  cut_off: wordMissingEnd,
  cut_off_video: wordMissingEnd,
};

/** Each kind of failure for the visitor: what is wrong, and what to do. */
export const FAILURE_TEXTS: Readonly<Record<FailureKind, string>> = {
  setting: 'One of the settings does not fit this file. Check the settings and try again.',
  unchanged: 'This image has the shape already. It stays as it is.',
  empty: 'This file is empty. Choose another one.',
  unknown_format: 'Darkroom does not know this kind of file. Choose another one.',
  damaged: "This file is damaged and can't be read to its end. Export it again, or choose another one.",
  no_video: 'This file has no frames, only sound. Choose a video.',
  no_audio: 'This file has no sound. Choose another one.',
  too_large_for_format: 'This image has too many pixels for the format. Choose PNG, TIFF or HEIC.',
  too_large_for_browser:
    'This image is too large for this browser. Make it smaller, or run it on the server.',
  out_of_memory:
    'This device ran out of memory. Close other tabs, choose a smaller file, or run it on the server.',
  not_written: "This browser can't write the format. Choose another format, or run it on the server.",
  no_codecs: 'This browser lacks what this file needs. Run it on the server, or open Darkroom in Chrome.',
  part_missing: 'A part of Darkroom could not be loaded. Check your connection and try again.',
  model_unreachable: "The model can't be downloaded now. Check your connection and try again.",
  server_unreachable: 'The server that runs this model does not respond. Try again later.',
  model_unusable: "This model can't run on this device. Choose another one, or run it on the server.",
  model_damaged: 'The model arrived damaged. Check your connection and try again.',
  storage_full:
    'There is no room left in this browser for the model. Delete others in the settings, or free disk space, then try again: what has arrived is kept.',
  unsafe:
    'The safety check found sexual content in the result, so it is not shown. Choose another seed or another image.',
  fault: 'Something went wrong in Darkroom. Try again, or run it on the server.',
};

/** Words anything thrown for the visitor. Messages of no kind are in plain words, but for the name of a param. */
export function describeFailure(thrown: unknown): string {
  if (!(thrown instanceof OperationError)) return FAILURE_TEXTS.fault;
  if (isServerError(thrown)) return SERVER_FAILURE_TEXTS[thrown.code];
  return thrown.kind ? FAILURE_TEXTS[thrown.kind] : withoutField(thrown.message);
}

/** Drops the name of the param that a message begins with, which only callers of the API know. */
function withoutField(message: string): string {
  return message.replace(/^[a-z_]+: (.)/, (_, first: string) => first.toUpperCase());
}

function wordMissingEnd([seconds]: readonly string[]): string {
  return `The end of this file is missing. The result covers the ${seconds} s that could be read.`;
}

/** Words a run's warnings for the visitor, with the names of models. */
export async function describeWarnings(
  operationId: OperationId,
  warnings: readonly RunWarning[],
): Promise<readonly string[]> {
  if (!warnings.some(({ kind }) => WORDS[kind]))
    return describeMessages(warnings.map(({ message }) => message));
  const getName = await readEngineNames(operationId).catch(() => (id: string) => id);
  // Several faults of providers end in the same words.
  return describeMessages(
    warnings.map(({ kind, names, message }) => WORDS[kind]?.(names.map(getName)) ?? message),
  );
}

/** Words warnings of the API for the visitor, each once. */
export function describeMessages(messages: readonly string[]): readonly string[] {
  const told = messages.map((given) => {
    const message = given.replace(/^steps\.[\w-]+: /, '');
    const [, code = ''] = /^([a-z_]+): /.exec(message) ?? [];
    return CODE_WORDS[code] ?? withoutField(message);
  });
  return [...new Set(told.filter(Boolean))];
}

/** Words for the visitor in place of a warning with a code that names a part of the API; none where the page has its own. */
const CODE_WORDS: Readonly<Record<string, string>> = {
  no_subject: '',
  not_enlarged:
    'The image is smaller than that, and stayed as it is. Turn on “Enlarge small images” to let it grow.',
};

/** Loads the operation definitions on the first warning, so that no page bundle contains them. */
async function readEngineNames(operationId: OperationId): Promise<(id: string) => string> {
  const { OPERATIONS } = await import('../../../models/registry.ts');
  const { engines = [] } = OPERATIONS[operationId];
  return (id) => engines.find((engine) => engine.id === id)?.name ?? id;
}

/**
 * Says what happened to an engine, and what to do.
 * @param kind of the run's failure; undefined for an unexpected one
 * @returns null for a failure that has nothing to do with the engine
 */
export function describeEngineFailure(name: string, kind: FailureKind = 'fault'): EngineFailure | null {
  const words = ENGINE_WORDS[kind];
  return words ? { ...words, reason: `${name} ${words.reason}` } : null;
}

/** Reports whether a run failed because files of it could not be downloaded. */
export function isNotDownloaded(kind: FailureKind | undefined): boolean {
  return kind !== undefined && ENGINE_WORDS[kind] === NOT_DOWNLOADED;
}
