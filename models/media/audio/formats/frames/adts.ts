import { BitReader } from '../../../bytes/bit-reader.ts';
import { AAC_RATES } from '../aac/configuration.ts';
import { readProgramConfig } from '../aac/program-config.ts';
import type { RawFrame } from './raw-frame.ts';

const HEAD_BYTES = 7;
const CHECKSUM_BYTES = 2;
/** Id of the element that lists the channels, in three bits. */
const PROGRAM_CONFIG = 5;

/** Reads the head of an ADTS frame of AAC: ISO 14496-3, 1.A.3.2; null where there is none. */
export function readAdtsFrame(head: Uint8Array): RawFrame | null {
  const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0, sixth = 0, seventh = 0] = head;
  if (first !== 0xff || (second & 0xf6) !== 0xf0) return null;
  const sampleRate = AAC_RATES[(third >> 2) & 15];
  const bytes = ((fourth & 3) << 11) | (fifth << 3) | (sixth >> 5);
  if (!sampleRate || bytes < HEAD_BYTES) return null;
  const configuration = ((third & 1) << 2) | (fourth >> 6);
  const listed = configuration === 0 ? readOwnList(head) : null;
  return {
    codec: 'aac',
    bytes,
    samples: ((seventh & 3) + 1) * 1024,
    sampleRate,
    channelCount: listed?.channelCount ?? (configuration === 7 ? 8 : configuration || 2),
    ...(listed?.channelMask != null && { channelMask: listed.channelMask }),
  };
}

/** Reports whether the head of a frame leaves its channels to a list within, which only the first frames may have. */
export function listsChannels(head: Uint8Array): boolean {
  return readAdtsFrame(head) !== null && ((head[2] ?? 0) & 1) === 0 && (head[3] ?? 0) >> 6 === 0;
}

function readOwnList(head: Uint8Array) {
  const hasChecksum = ((head[1] ?? 0) & 1) === 0;
  const reader = new BitReader(head.subarray(HEAD_BYTES + (hasChecksum ? CHECKSUM_BYTES : 0)));
  return reader.bits(3) === PROGRAM_CONFIG ? readProgramConfig(reader) : null;
}
