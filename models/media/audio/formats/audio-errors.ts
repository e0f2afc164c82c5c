import { OperationError } from '../../../core/operation/errors.ts';

/** Creates the error for a whole file without audio. */
export function noAudio(): OperationError {
  return new OperationError('bad_request', 'The file has no audio. Send a file with an audio track.', {
    kind: 'no_audio',
  });
}

/** Creates the error for sound that is a field around a listener. */
export function ambisonic(): OperationError {
  return new OperationError(
    'bad_request',
    'The audio is ambisonic, which is not supported: its channels are for no loudspeakers. Export it as stereo.',
    { kind: 'unknown_format' },
  );
}
