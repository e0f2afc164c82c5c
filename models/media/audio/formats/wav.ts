import { OperationError } from '../../../core/operation/errors.ts';
import type { ByteReader } from '../../bytes/byte-reader.ts';
import { readFourCc } from '../../bytes/text.ts';
import { ambisonic } from './audio-errors.ts';

/** Start of the WAVEFORMATEX of a WAV file. */
interface WavFormat {
  /** Whether mediabunny reads the samples: those that no coding packs. */
  readonly isPlain: boolean;
  /** Speakers of the channels, as in WAVEFORMATEXTENSIBLE; null where the header does not say it. */
  readonly channelMask: number | null;
}

/** Tags of integers, floating point, A-law and mu-law. */
const PLAIN_TAGS = [1, 3, 6, 7];
const EXTENSIBLE = 0xfffe;
/** Format tag of AAC frames without heads. */
const UNFRAMED_AAC = 0xff;
/** Third part of the GUIDs of AMB files (R. Dobson, 2001), where all others have 0. */
const AMBISONIC = 0x0721;
/** Bytes of a format without, and with the fields of WAVEFORMATEXTENSIBLE. */
const [FORMAT_BYTES_MIN, FORMAT_BYTES_MAX] = [16, 40];
const [FIRST_AT, HEAD_BYTES] = [12, 8];
const CHUNKS_MAX = 10_000;

/**
 * Reads how a WAV file codes its samples; null for one without a format, of which mediabunny knows what is left.
 * @throws OperationError `bad_request` for ambisonic sound, and for AAC whose packets nothing divides
 */
export async function readWavFormat(bytes: ByteReader): Promise<WavFormat | null> {
  let at = FIRST_AT;
  for (let count = 0; at + HEAD_BYTES + FORMAT_BYTES_MIN <= bytes.size && count < CHUNKS_MAX; count++) {
    const head = await bytes.view(at, HEAD_BYTES);
    const [type, size] = [readFourCc(head, 0), head.getUint32(4, true)];
    if (type === 'fmt ' && size >= FORMAT_BYTES_MIN) {
      const length = Math.min(size, FORMAT_BYTES_MAX, bytes.size - at - HEAD_BYTES);
      return parseFormat(await bytes.view(at + HEAD_BYTES, length));
    }
    at += HEAD_BYTES + size + (size % 2);
  }
  return null;
}

function parseFormat(view: DataView): WavFormat {
  const own = view.getUint16(0, true);
  if (own === UNFRAMED_AAC) {
    throw new OperationError(
      'bad_request',
      'The file is AAC without frame headers in WAV, which is not supported. Export it as M4A.',
      { kind: 'unknown_format' },
    );
  }
  const isExtensible = own === EXTENSIBLE && view.byteLength >= 26;
  if (isExtensible && view.byteLength >= 30 && view.getUint16(28, true) === AMBISONIC) throw ambisonic();
  const tag = isExtensible ? view.getUint16(24, true) : own;
  const channelMask = isExtensible ? view.getUint32(20, true) : 0;
  return { isPlain: PLAIN_TAGS.includes(tag), channelMask: channelMask > 0 ? channelMask : null };
}
