import { fieldError } from '../../../core/operation/errors.ts';
import type { PcmFormat } from '../../../core/runtime/pcm.ts';

const HEAD_BYTES = 44;
const SAMPLE_BYTES = 2;
/** Sizes are 32 bits. */
const DATA_BYTES_MAX = 2 ** 32 - 1 - HEAD_BYTES;

/** Makes the head of a WAV file with `dataBytes` bytes of 16-bit samples (RIFF, IBM and Microsoft, 1991). */
export function writeWavHeader(
  { sampleRate, channelCount }: PcmFormat,
  dataBytes: number,
): Uint8Array<ArrayBuffer> {
  const head = new DataView(new ArrayBuffer(HEAD_BYTES));
  const text = (at: number, letters: string) => {
    for (let index = 0; index < 4; index++) head.setUint8(at + index, letters.charCodeAt(index));
  };
  text(0, 'RIFF');
  head.setUint32(4, HEAD_BYTES - 8 + dataBytes, true);
  text(8, 'WAVE');
  text(12, 'fmt ');
  head.setUint32(16, 16, true);
  head.setUint16(20, 1, true);
  head.setUint16(22, channelCount, true);
  head.setUint32(24, sampleRate, true);
  head.setUint32(28, sampleRate * channelCount * SAMPLE_BYTES, true);
  head.setUint16(32, channelCount * SAMPLE_BYTES, true);
  head.setUint16(34, SAMPLE_BYTES * 8, true);
  text(36, 'data');
  head.setUint32(40, dataBytes, true);
  return new Uint8Array(head.buffer);
}

/** Checks a length. @throws OperationError `unprocessable` when samples do not fit into a WAV file */
export function assertFitsWav(dataBytes: number): void {
  if (dataBytes <= DATA_BYTES_MAX) return;
  throw fieldError('output_format', 'a WAV file holds at most 4 GB, and this audio needs more. Use mp3.', {
    code: 'unprocessable',
  });
}
