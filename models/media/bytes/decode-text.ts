import type { Bytes } from './byte-writer.ts';

/** Decodes text whose encoding nothing states: UTF-8 where it is valid, else Latin-1, which most writers mean. */
export function decodeText(bytes: Bytes): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('latin1').decode(bytes);
  }
}
