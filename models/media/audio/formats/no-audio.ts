import { OperationError } from '../../../core/operation/errors.ts';

/** Creates the error for a whole file without audio. */
export function noAudio(): OperationError {
  return new OperationError('bad_request', 'The file has no audio. Send a file with an audio track.', {
    kind: 'no_audio',
  });
}
