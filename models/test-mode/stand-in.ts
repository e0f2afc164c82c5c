import type { Media } from '../operation/inputs.ts';
import { STAND_IN_PNG, STAND_IN_WEBM } from './stand-in-files.ts';

const SAMPLE_RATE = 8_000;
const SECONDS = 2;
/** Header of a WAV of 16-bit PCM: RIFF, one format chunk and one of data. */
const WAV_HEADER_BYTES = 44;

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
  const bytes = new Uint8Array(WAV_HEADER_BYTES + dataBytes);
  const view = new DataView(bytes.buffer);
  const write = (at: number, text: string) => bytes.set(new TextEncoder().encode(text), at);
  write(0, 'RIFF');
  view.setUint32(4, bytes.length - 8, true);
  write(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, SAMPLE_RATE, true);
  view.setUint32(28, SAMPLE_RATE * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  write(36, 'data');
  view.setUint32(40, dataBytes, true);
  return bytes;
}
