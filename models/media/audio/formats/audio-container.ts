import type { AudioContainer } from '../../../core/runtime/audio-codec.ts';
import { getVideoContainer } from '../../containers/video-header.ts';

/** Bytes that `audioContainerOf` reads: MPEG-TS is known by its first three packets only. */
export const SIGNATURE_BYTES = 400;

/** GUID of the ASF header object, which WMA and WMV files begin with. */
const ASF_HEADER = '\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9\x00\xaa\x00\x62\xce\x6c';

/** Signatures at the very start of a file. */
const MARKS: readonly (readonly [AudioContainer, string])[] = [
  ['asf', ASF_HEADER],
  ['flac', 'fLaC'],
  ['ogg', 'OggS'],
  ['amr', '#!AMR\n'],
  ['amr', '#!AMR-WB\n'],
  ['ac3', '\x0b\x77'],
  ['w64', 'riff\x2e\x91\xcf\x11'],
  ['au', '.snd'],
  ['caf', 'caff'],
  ['dts', '\x7f\xfe\x80\x01'],
  ['mpeg', '\0\0\x01\xba'],
  ['flv', 'FLV\x01'],
  ['tta', 'TTA1'],
  ['ape', 'MAC '],
  ['wavpack', 'wvpk'],
  // ID3v2 nearly always precedes MP3; the probe checks what follows it.
  ['mp3', 'ID3'],
];

/** Bytes of the longest mark. */
const MARK_BYTES = 64;

/**
 * Recognizes a container by its first bytes (`SIGNATURE_BYTES` are enough), never by name or media type. Null when
 * unknown.
 */
export function getAudioContainer(head: Uint8Array): AudioContainer | null {
  const text = String.fromCharCode(...head.subarray(0, MARK_BYTES));
  const marked = MARKS.find(([, mark]) => text.startsWith(mark));
  if (marked) return marked[0];
  const form = text.slice(8, 12);
  if (/^(RIFF|RF64|BW64)/.test(text) && form === 'WAVE') return 'wav';
  if (text.startsWith('RIFF') && form === 'AVI ') return 'avi';
  if (/^\xf8\x72\x6f[\xba\xbb]/.test(text.slice(4))) return 'truehd';
  if (isTransportStream(head)) return 'mpegts';
  if (text.startsWith('FORM') && /^AIF[FC]$/.test(form)) return 'aiff';
  return getVideoContainer(head) ?? getMpegFrame(head);
}

/**
 * Recognizes an MPEG audio frame by sync word, version and layer: ADTS has layer 0 and all bits of the version, MP3
 * layer 1, MP2 layer 2.
 */
function getMpegFrame([first = 0, second = 0]: Uint8Array): AudioContainer | null {
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return null;
  const layer = (second >> 1) & 3;
  if (layer === 0) return (second & 0xf0) === 0xf0 ? 'aac' : null;
  return layer === 1 ? 'mp3' : layer === 2 ? 'mp2' : null;
}

/** First byte of each packet of MPEG-TS, its length, and the length of the stamp before each of a recorder's file. */
const [SYNC, PACKET_BYTES, STAMP_BYTES] = [0x47, 188, 4];

function isTransportStream(head: Uint8Array): boolean {
  return [0, STAMP_BYTES].some((stampBytes) =>
    [0, 1, 2].every((packet) => head[stampBytes + packet * (PACKET_BYTES + stampBytes)] === SYNC),
  );
}
