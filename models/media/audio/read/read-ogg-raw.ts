import { type ByteReader, damagedAudio } from '../formats/byte-reader.ts';
import { findFlacMask, flacFrameHeadAt } from '../formats/flac.ts';
import { type RawAudio, trackAmong } from '../formats/raw-audio.ts';
import {
  type ChecksumBudget,
  createChecksumBudget,
  findOggPackets,
  OGG_PAGE_BYTES_MAX,
  readOggPage,
} from '../repair/ogg-page.ts';

const FLAC_MARK = '\x7fFLAC';
const SPEEX_MARK = 'Speex   ';
/** Offset of the rate in the block STREAMINFO, behind the mark, version, number of headers, `fLaC` and the head. */
const FLAC_RATE_AT = 27;
const SPEEX_RATE_AT = 36;
const SPEEX_CHANNELS_AT = 48;
const SPEEX_FRAME_SAMPLES_AT = 56;
const SPEEX_PACKET_FRAMES_AT = 64;
/** Bytes of the longest head that is read. */
const HEAD_BYTES = 80;
/** Bytes that are searched at once for the last page. */
const BLOCK_BYTES = 4 * OGG_PAGE_BYTES_MAX;
const HEADER_PAGES_MAX = 1000;
/** Streams of a file that may be heard. */
const STREAMS_MAX = 16;

type Format = Pick<RawAudio, 'codec' | 'sampleRate' | 'channelCount'>;

/** Returns the number of samples of the packet at a place; 0 when it is unknown. */
type ReadPacketSamples = (bytes: Uint8Array, at: number) => number;

/**
 * Measures an Ogg file of FLAC (Xiph, "Ogg FLAC mapping" 1.0) or Speex (RFC 5574) by the positions of its pages; null
 * for other codecs, which mediabunny reads.
 * @param trackNumber stream, from 1, in the order of their first pages
 * @throws OperationError `bad_request` when pages are missing or make no sense
 */
export async function readOggRaw(
  bytes: ByteReader,
  { trackNumber }: { readonly trackNumber: number },
): Promise<RawAudio | null> {
  const { streams, end: headsEnd } = await readFirstPages(bytes);
  const wanted = streams[trackNumber - 1];
  if (!wanted) return null;
  const { packetSamples, serial, ...format } = wanted;
  const { sampleRate, channelCount } = format;
  if (sampleRate === 0 || channelCount === 0) throw damagedAudio('its header makes no sense');
  const [start, end] = [await readStart(bytes, serial, packetSamples), await readEnd(bytes, serial)];
  const firstSeconds = start / sampleRate;
  // The comments follow the first pages, before any samples.
  const isOnlyFlac = format.codec === 'flac' && streams.length === 1;
  const mask = isOnlyFlac ? findFlacMask(await bytes.read(headsEnd, OGG_PAGE_BYTES_MAX)) : null;
  return {
    ...format,
    ...(mask !== null && { channelMask: mask }),
    durationSeconds: Math.max(0, end - start) / sampleRate,
    firstSeconds,
    hasVideo: false,
    ...trackAmong(
      streams.map(() => ''),
      trackNumber,
    ),
  };
}

interface Stream extends Format {
  readonly packetSamples: ReadPacketSamples;
  readonly serial: number;
}

/**
 * Reads the first pages of all streams, with which a file begins. Streams behind one of another kind are left out,
 * since the numbers of tracks count it.
 */
async function readFirstPages(
  bytes: ByteReader,
): Promise<{ readonly streams: readonly Stream[]; readonly end: number }> {
  const streams: Stream[] = [];
  let end = 0;
  for (let count = 0; count < STREAMS_MAX; count++) {
    const page = readOggPage(await bytes.read(end, OGG_PAGE_BYTES_MAX), 0);
    const found = page?.isFirst ? readFormat(await bytes.read(end + page.bodyAt, HEAD_BYTES)) : null;
    if (!page || !found) break;
    streams.push({ ...found, serial: page.serial });
    end += page.bytes;
  }
  return { streams, end };
}

function readFormat(head: Uint8Array): (Format & { packetSamples: ReadPacketSamples }) | null {
  const text = String.fromCharCode(...head.subarray(0, 8));
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  if (text.startsWith(FLAC_MARK) && head.length >= FLAC_RATE_AT + 4) {
    const packed = view.getUint32(FLAC_RATE_AT);
    const packetSamples: ReadPacketSamples = (page, at) => flacFrameHeadAt(page, at)?.samples ?? 0;
    return {
      codec: 'flac',
      sampleRate: packed >>> 12,
      channelCount: ((packed >> 9) & 7) + 1,
      packetSamples,
    };
  }
  if (text !== SPEEX_MARK || head.length < SPEEX_PACKET_FRAMES_AT + 4) return null;
  const [sampleRate, channelCount] = [
    view.getUint32(SPEEX_RATE_AT, true),
    view.getUint32(SPEEX_CHANNELS_AT, true),
  ];
  const samples = view.getUint32(SPEEX_FRAME_SAMPLES_AT, true) * view.getUint32(SPEEX_PACKET_FRAMES_AT, true);
  return { codec: 'speex', sampleRate, channelCount, packetSamples: () => samples };
}

/** Returns the position at which a stream's samples begin: before the packets of its first page. */
async function readStart(
  bytes: ByteReader,
  serial: number,
  packetSamples: ReadPacketSamples,
): Promise<number> {
  let sequence: number | null = null;
  let at = 0;
  for (let pages = 0; pages < HEADER_PAGES_MAX; pages++) {
    const body = await bytes.read(at, OGG_PAGE_BYTES_MAX);
    const page = readOggPage(body, 0);
    if (!page) return 0;
    at += page.bytes;
    if (page.serial !== serial) continue;
    if (!page.isHeader) {
      const isAfterDamage = sequence !== null && page.sequence !== sequence + 1;
      const packets = findOggPackets(body);
      const samples = packets.count * packetSamples(body, packets.at);
      if (samples === 0) return isAfterDamage ? page.position : 0;
      // The last packet of a stream may be short, but one that ends before 0 is not the last.
      return page.position < 0 ? page.position - samples : Math.max(0, page.position - samples);
    }
    sequence = page.sequence;
  }
  return 0;
}

/** Returns the position behind the last sample of a stream, which may end before others of the file. */
async function readEnd(bytes: ByteReader, serial: number): Promise<number> {
  // Blocks overlap by a page.
  const budget = createChecksumBudget(2 * bytes.size);
  for (let end = bytes.size; end > 0; ) {
    const from = Math.max(0, end - BLOCK_BYTES);
    const position = lastPosition(await bytes.read(from, end - from), serial, budget);
    if (position !== null) return position;
    end = from === 0 ? 0 : from + OGG_PAGE_BYTES_MAX;
  }
  throw damagedAudio('it holds no samples');
}

function lastPosition(block: Uint8Array, serial: number, budget: ChecksumBudget): number | null {
  for (let at = block.lastIndexOf(0x4f); at >= 0; at = at > 0 ? block.lastIndexOf(0x4f, at - 1) : -1) {
    const page = readOggPage(block, at, budget);
    if (page?.serial === serial && page.position > 0) return page.position;
  }
  return null;
}
