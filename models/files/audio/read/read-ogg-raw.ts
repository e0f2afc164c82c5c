import { type ByteReader, damagedAudio } from '../formats/byte-reader.ts';
import type { RawAudio } from '../formats/raw-audio.ts';
import { createChecksumBudget, OGG_PAGE_BYTES_MAX, readOggPage } from '../parts/ogg-page.ts';

const FLAC_MARK = '\x7fFLAC';
const SPEEX_MARK = 'Speex   ';
/** Offset of the rate in the block STREAMINFO, behind the mark, version, number of headers, `fLaC` and the head. */
const FLAC_RATE_AT = 27;
const SPEEX_RATE_AT = 36;
const SPEEX_CHANNELS_AT = 48;
/** Bytes of the longest head that is read. */
const HEAD_BYTES = 80;
/** Bytes at the end in which the last page is looked for. */
const TAIL_BYTES = 4 * OGG_PAGE_BYTES_MAX;
const HEADER_PAGES_MAX = 1000;

type Format = Pick<RawAudio, 'codec' | 'sampleRate' | 'channelCount'>;

/**
 * Measures an Ogg file of FLAC (Xiph, "Ogg FLAC mapping" 1.0) or Speex (RFC 5574) by the positions of its pages; null
 * for other codecs, which mediabunny reads. Of a part behind damage the first page is lost.
 * @throws OperationError `bad_request` when pages are missing or make no sense
 */
export async function readOggRaw(bytes: ByteReader): Promise<RawAudio | null> {
  const first = readOggPage(await bytes.read(0, OGG_PAGE_BYTES_MAX), 0);
  if (!first) return null;
  const format = readFormat(await bytes.read(first.bodyAt, HEAD_BYTES));
  if (!format) return null;
  const { sampleRate, channelCount } = format;
  if (sampleRate === 0 || channelCount === 0) throw damagedAudio('its header makes no sense');
  const [start, end] = [await readStart(bytes), await readEnd(bytes)];
  const firstSeconds = start / sampleRate;
  return {
    ...format,
    durationSeconds: Math.max(0, end / sampleRate - firstSeconds),
    firstSeconds,
    hasVideo: false,
  };
}

function readFormat(head: Uint8Array): Format | null {
  const text = String.fromCharCode(...head.subarray(0, 8));
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  if (text.startsWith(FLAC_MARK) && head.length >= FLAC_RATE_AT + 4) {
    const packed = view.getUint32(FLAC_RATE_AT);
    return { codec: 'flac', sampleRate: packed >>> 12, channelCount: ((packed >> 9) & 7) + 1 };
  }
  if (text !== SPEEX_MARK || head.length < SPEEX_CHANNELS_AT + 4) return null;
  const [sampleRate, channelCount] = [
    view.getUint32(SPEEX_RATE_AT, true),
    view.getUint32(SPEEX_CHANNELS_AT, true),
  ];
  return { codec: 'speex', sampleRate, channelCount };
}

/** Returns the position at which samples begin: 0, or that of the first page of a part behind damage. */
async function readStart(bytes: ByteReader): Promise<number> {
  let sequence: number | null = null;
  let at = 0;
  for (let pages = 0; pages < HEADER_PAGES_MAX; pages++) {
    const page = readOggPage(await bytes.read(at, OGG_PAGE_BYTES_MAX), 0);
    if (!page) return 0;
    if (!page.isHeader) return sequence === null || page.sequence === sequence + 1 ? 0 : page.position;
    sequence = page.sequence;
    at += page.bytes;
  }
  return 0;
}

/** Returns the position behind the last sample. */
async function readEnd(bytes: ByteReader): Promise<number> {
  const from = Math.max(0, bytes.size - TAIL_BYTES);
  const tail = await bytes.read(from, TAIL_BYTES);
  const budget = createChecksumBudget(tail.length);
  for (let at = tail.lastIndexOf(0x4f); at >= 0; at = at > 0 ? tail.lastIndexOf(0x4f, at - 1) : -1) {
    const page = readOggPage(tail, at, budget);
    if (page && page.position > 0) return page.position;
  }
  throw damagedAudio('it holds no samples');
}
