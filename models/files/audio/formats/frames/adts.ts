import { AAC_RATES } from '../aac-configuration.ts';
import type { RawFrame } from './raw-frame.ts';

/** Reads the head of an ADTS frame of AAC: ISO 14496-3, 1.A.3.2; null where there is none. */
export function readAdtsFrame(head: Uint8Array): RawFrame | null {
  const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0, sixth = 0, seventh = 0] = head;
  if (first !== 0xff || (second & 0xf6) !== 0xf0) return null;
  const sampleRate = AAC_RATES[(third >> 2) & 15];
  const bytes = ((fourth & 3) << 11) | (fifth << 3) | (sixth >> 5);
  if (!sampleRate || bytes < 7) return null;
  const configuration = ((third & 1) << 2) | (fourth >> 6);
  const channelCount = configuration === 7 ? 8 : configuration || 2;
  return { codec: 'aac', bytes, samples: ((seventh & 3) + 1) * 1024, sampleRate, channelCount };
}
