import type { AudioContainer } from '../../../runtime/audio-facts.ts';
import { videoContainerOf } from '../../containers/video-header.ts';

/** Bytes that `audioContainerOf` reads. */
export const SIGNATURE_BYTES = 64;

/** GUID of the ASF header object, which WMA and WMV files begin with. */
const ASF_HEADER = '\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9\x00\xaa\x00\x62\xce\x6c';

/** Signatures at the very start of a file. */
const MARKS: readonly (readonly [AudioContainer, string])[] = [
  ['asf', ASF_HEADER],
  ['flac', 'fLaC'],
  ['ogg', 'OggS'],
  ['amr', '#!AMR'],
  ['ac3', '\x0b\x77'],
  // ID3v2 nearly always precedes MP3; the probe checks what follows it.
  ['mp3', 'ID3'],
];

/** Recognizes a container by its first bytes (64 are enough), never by name or media type. Null when unknown. */
export function audioContainerOf(head: Uint8Array): AudioContainer | null {
  const text = String.fromCharCode(...head.subarray(0, SIGNATURE_BYTES));
  const marked = MARKS.find(([, mark]) => text.startsWith(mark));
  if (marked) return marked[0];
  const form = text.slice(8, 12);
  if (/^(RIFF|RIFX|RF64|BW64)/.test(text) && form === 'WAVE') return 'wav';
  if (text.startsWith('FORM') && /^AIF[FC]$/.test(form)) return 'aiff';
  return videoContainerOf(head) ?? mpegFrameOf(head);
}

/**
 * Recognizes an MPEG audio frame by sync word, version and layer: ADTS has layer 0 and all bits of the version, MP3
 * layer 1.
 */
function mpegFrameOf([first = 0, second = 0]: Uint8Array): AudioContainer | null {
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return null;
  const layer = (second >> 1) & 3;
  if (layer === 0) return (second & 0xf0) === 0xf0 ? 'aac' : null;
  return layer === 1 ? 'mp3' : null;
}
