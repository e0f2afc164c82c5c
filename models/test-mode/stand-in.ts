import type { Media } from '../core/operation/inputs.ts';
import { writeWavHeader } from '../media/audio/write/wav-header.ts';
import { STAND_IN_PNG, STAND_IN_WEBM } from './stand-in-files.ts';

const SAMPLE_RATE = 8_000;
const SECONDS = 2;

/** Returns a small file of the first of these kinds: the input of a request whose address forces its outcome. */
export function standInFor([first]: readonly Media[]): Uint8Array<ArrayBuffer> {
  switch (first) {
    case 'audio':
      return silentWav();
    case 'video':
      return decode(STAND_IN_WEBM);
    default:
      return decode(STAND_IN_PNG);
  }
}

function decode(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

function silentWav(): Uint8Array<ArrayBuffer> {
  const dataBytes = SAMPLE_RATE * SECONDS * 2;
  const head = writeWavHeader({ sampleRate: SAMPLE_RATE, channelCount: 1 }, dataBytes);
  const bytes = new Uint8Array(head.length + dataBytes);
  bytes.set(head);
  return bytes;
}
