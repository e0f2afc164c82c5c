/** Stream of a program. */
export interface ProgramStream {
  readonly pid: number;
  readonly kind: 'audio' | 'video' | 'other';
  /** FFmpeg's name; `mp3` for any layer of MPEG audio. */
  readonly codec: string;
  /** Code of ISO 639-2; empty where there is none. */
  readonly language: string;
}

/** Codecs of audio by stream type: ISO 13818-1, table 2-34, ATSC A/53, and the Blu-ray format. */
const AUDIO_TYPES: Readonly<Record<number, string>> = {
  3: 'mp3',
  4: 'mp3',
  15: 'aac',
  17: 'aac_latm',
  128: 'pcm_bluray',
  129: 'ac3',
  130: 'dts',
  131: 'truehd',
  132: 'eac3',
  133: 'dts',
  134: 'dts',
  135: 'eac3',
};
const VIDEO_TYPES = [1, 2, 16, 27, 32, 36, 51, 66, 209, 234];
/** Codecs of private streams by descriptor tag: ETSI EN 300 468, annex D. */
const DESCRIPTORS: Readonly<Record<number, string>> = { 106: 'ac3', 122: 'eac3', 123: 'dts', 124: 'aac' };
/** Tag of the ISO 639 language descriptor. */
const LANGUAGE = 10;
/** Codecs of private streams by the registration descriptor, tag 5. */
const REGISTRATIONS: Readonly<Record<string, string>> = {
  Opus: 'opus',
  'AC-3': 'ac3',
  EAC3: 'eac3',
  DTS1: 'dts',
  DTS2: 'dts',
  DTS3: 'dts',
  BSSD: 's302m',
};

/** Reads where the map of the first program is: ISO 13818-1, 2.4.4.3; null where there is none. */
export function readMapPid(payload: Uint8Array): number | null {
  const section = sectionOf(payload, 0);
  for (let at = 8; section && at + 4 <= section.length - 4; at += 4) {
    const [high = 0, low = 0] = section.subarray(at + 2);
    // Program 0 is the network's own table.
    if (section[at] !== 0 || section[at + 1] !== 0) return ((high & 0x1f) << 8) | low;
  }
  return null;
}

/** Reads the streams of a program: ISO 13818-1, 2.4.4.8. A map that spans packets is read as far as its first. */
export function readProgramStreams(payload: Uint8Array): ProgramStream[] {
  const section = sectionOf(payload, 2);
  if (!section) return [];
  const byte = (at: number) => section[at] ?? 0;
  const streams: ProgramStream[] = [];
  for (let at = 12 + (((byte(10) & 0xf) << 8) | byte(11)); at + 5 <= section.length - 4; ) {
    const pid = ((byte(at + 1) & 0x1f) << 8) | byte(at + 2);
    const length = ((byte(at + 3) & 0xf) << 8) | byte(at + 4);
    const descriptors = section.subarray(at + 5, at + 5 + length);
    streams.push({ pid, ...kindOf(byte(at), descriptors), language: languageOf(descriptors) });
    at += 5 + length;
  }
  return streams;
}

function kindOf(type: number, descriptors: Uint8Array): Pick<ProgramStream, 'kind' | 'codec'> {
  if (VIDEO_TYPES.includes(type)) return { kind: 'video', codec: `mpeg_${type}` };
  const codec = AUDIO_TYPES[type] ?? (type === 6 ? describedCodec(descriptors) : null);
  return codec ? { kind: 'audio', codec } : { kind: 'other', codec: `mpeg_${type}` };
}

function describedCodec(descriptors: Uint8Array): string | null {
  for (const { tag, body } of descriptorsIn(descriptors)) {
    const name = String.fromCharCode(...body.subarray(0, 4));
    const codec = tag === 5 ? REGISTRATIONS[name] : DESCRIPTORS[tag];
    if (codec) return codec;
  }
  return null;
}

/** Reads the ISO 639 language descriptor: ISO 13818-1, 2.6.18. */
function languageOf(descriptors: Uint8Array): string {
  for (const { tag, body } of descriptorsIn(descriptors)) {
    const code = String.fromCharCode(...body.subarray(0, 3));
    if (tag === LANGUAGE && /^[a-z]{3}$/i.test(code)) return code;
  }
  return '';
}

function* descriptorsIn(bytes: Uint8Array): Generator<{ readonly tag: number; readonly body: Uint8Array }> {
  for (let at = 0; at + 2 <= bytes.length; ) {
    const end = at + 2 + (bytes[at + 1] ?? 0);
    yield { tag: bytes[at] ?? 0, body: bytes.subarray(at + 2, end) };
    at = end;
  }
}

/** Returns a section of a table, with its head and checksum, as far as the packet has it. */
function sectionOf(payload: Uint8Array, table: number): Uint8Array | null {
  const start = 1 + (payload[0] ?? 0);
  if (payload[start] !== table) return null;
  const length = (((payload[start + 1] ?? 0) & 0xf) << 8) | (payload[start + 2] ?? 0);
  return payload.subarray(start, start + 3 + length);
}
