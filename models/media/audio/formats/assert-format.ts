import { OperationError } from '../../../core/operation/errors.ts';
import type { PcmFormat } from '../../../core/runtime/pcm.ts';

const SAMPLE_RATE_MIN = 8000;
const SAMPLE_RATE_MAX = 192_000;

/**
 * Checks a format that a caller asks for.
 * @throws OperationError `bad_request` unless the sample rate is an integer from 8000 to 192000 and there are one or
 *   two channels
 */
export function assertFormat({ sampleRate, channelCount }: PcmFormat): void {
  if (!Number.isInteger(sampleRate) || sampleRate < SAMPLE_RATE_MIN || sampleRate > SAMPLE_RATE_MAX) {
    throw new OperationError(
      'bad_request',
      `sampleRate: must be an integer from ${SAMPLE_RATE_MIN} to ${SAMPLE_RATE_MAX} Hz, not ${sampleRate}.`,
    );
  }
  if (channelCount !== 1 && channelCount !== 2) {
    throw new OperationError(
      'bad_request',
      `channelCount: must be 1 (mono) or 2 (stereo), not ${channelCount}.`,
    );
  }
}
