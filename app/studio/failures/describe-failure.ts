import { type FailureKind, OperationError } from '../../../models/core/operation/errors.ts';
import { isServerError, SERVER_FAILURE_TEXTS } from './server-error.ts';

/** Each kind of failure for the visitor: what is wrong, and what to do. */
export const FAILURE_TEXTS: Readonly<Record<FailureKind, string>> = {
  setting: 'One of the settings does not fit this file. Check the settings and try again.',
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
    'There is no room left in this browser for the model. Delete others under This device, or free disk space, then try again: what has arrived is kept.',
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
