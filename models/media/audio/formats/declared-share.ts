import type { AudioContainer } from '../../../core/runtime/audio-facts.ts';
import type { ByteReader } from './byte-reader.ts';

/** Programs that write to a pipe declare about this much, since they do not know the length. */
const UNKNOWN_BYTES = 0x7fff_f000;
const HEAD_BYTES = 8;

/**
 * Length that a WAV or AVI (RIFF, little-endian) or AIFF file (big-endian) declares over the length that it has: 1
 * where all is there, or the length is left open.
 */
export async function declaredShare(bytes: ByteReader, container: AudioContainer): Promise<number> {
  const declared = (await bytes.view(0, HEAD_BYTES)).getUint32(4, container !== 'aiff');
  const isOpen = declared >= UNKNOWN_BYTES;
  return isOpen ? 1 : Math.max(1, (declared + HEAD_BYTES) / bytes.size);
}
