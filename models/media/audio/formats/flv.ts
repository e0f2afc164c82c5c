import { readAacFormat } from './aac.ts';
import { noAudio } from './audio-errors.ts';
import { type ByteReader, damagedAudio } from './byte-reader.ts';
import type { RawAudio } from './raw-audio.ts';

/** Codecs by the number in a tag: Adobe, "Flash Video File Format" 10.1, E.4.2. */
const CODECS: readonly string[] = [
  'pcm_16',
  'adpcm_swf',
  'mp3',
  'pcm_16',
  'nellymoser',
  'nellymoser',
  'nellymoser',
  'alaw',
  'ulaw',
  'flv_9',
  'aac',
  'speex',
];
const [AUDIO, VIDEO, SCRIPT] = [8, 9, 18];
/** First four bytes of a file: `FLV` and its version. */
const MARK = 0x464c5601;
const TAG_HEAD_BYTES = 11;
const AAC = 10;
const AVC = 7;
/** Place of the AudioSpecificConfig in a tag that sets AAC up, and the bytes of it that are read. */
const CONFIG_AT = TAG_HEAD_BYTES + 2;
const CONFIG_BYTES = 5;
/** Bytes before the first tag: the header states them, and the length of no tag follows. */
const HEADER_BYTES = 9;
/** Length of a tag, which follows it. */
const LENGTH_BYTES = 4;
/** Bytes of a tag that are read: its head, and what tells the codec of audio. */
const READ_BYTES = TAG_HEAD_BYTES + 2;

interface FlvTag {
  readonly at: number;
  readonly type: number;
  /** Bytes of its body. */
  readonly size: number;
  readonly seconds: number;
  /** Place behind it and its length. */
  readonly end: number;
  /** Bytes of the body that tell the codec of audio. */
  readonly body: readonly [number, number];
}

/** Reads the tag at a place; null where there is none. */
async function readFlvTag(bytes: ByteReader, at: number): Promise<FlvTag | null> {
  return parseFlvTag(await bytes.read(at, READ_BYTES), at);
}

/**
 * Parses the head of a tag.
 * @param head its bytes and two of its body, as far as the file has them
 * @param at place of the tag
 * @returns null where there is none
 */
function parseFlvTag(head: Uint8Array, at: number): FlvTag | null {
  if (head.length < TAG_HEAD_BYTES) return null;
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  const [type, size] = [view.getUint8(0) & 31, view.getUint32(0) & 0xff_ffff];
  if (type !== AUDIO && type !== VIDEO && type !== SCRIPT) return null;
  return {
    at,
    type,
    size,
    seconds: ((view.getUint32(4) >>> 8) + (view.getUint8(7) << 24)) / 1000,
    end: at + TAG_HEAD_BYTES + size + LENGTH_BYTES,
    body: [head[TAG_HEAD_BYTES] ?? 0, head[TAG_HEAD_BYTES + 1] ?? 0],
  };
}

/** Returns the place of the first tag of the file that begins at a place; null where none does. */
async function firstFlvTagAt(bytes: ByteReader, at: number): Promise<number | null> {
  const head = await bytes.read(at, HEADER_BYTES);
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  if (head.length < HEADER_BYTES || view.getUint32(0) !== MARK) return null;
  return at + view.getUint32(5) + LENGTH_BYTES;
}

/**
 * Measures a Flash video by the times of its tags, up to a place without one.
 * @throws OperationError `bad_request` when it has no audio, or tags do not fit together
 */
export async function readFlv(bytes: ByteReader, secondsMax: number): Promise<RawAudio> {
  let format: Pick<RawAudio, 'codec' | 'sampleRate' | 'channelCount'> | null = null;
  let stated: ReturnType<typeof readAacFormat> = null;
  let hasVideo = false;
  let first: number | null = null;
  let [last, lastSeconds] = [0, 0];
  let earliest = Number.POSITIVE_INFINITY;
  let walkedTo = (await firstFlvTagAt(bytes, 0)) ?? 0;
  for (let tag = await readFlvTag(bytes, walkedTo); tag; tag = await readFlvTag(bytes, walkedTo)) {
    const { at, type, size, seconds, body } = tag;
    walkedTo = tag.end;
    const isSetUp = isSetUpTag(type, body);
    if (isSetUp && type === AUDIO) stated ??= readAacFormat(await bytes.read(at + CONFIG_AT, CONFIG_BYTES));
    if (type !== SCRIPT && size > 0 && !isSetUp) earliest = Math.min(earliest, seconds);
    hasVideo ||= type === VIDEO;
    if (type === AUDIO && size > 1) format ??= readFormat(body[0]);
    if (type === AUDIO && size > 1 && !isSetUp) {
      lastSeconds = first === null ? 0 : seconds - last;
      last = seconds;
      first ??= seconds;
    }
    if (seconds - earliest > secondsMax) break;
  }
  if (!format) throw noAudio();
  if (first === null) throw damagedAudio('it holds no samples');
  return {
    ...format,
    ...stated,
    durationSeconds: last - earliest + lastSeconds,
    startSeconds: first - earliest,
    isTimed: true,
    // What follows is no tag, or the last tag ends behind the file.
    isCutOff: Math.abs(bytes.size - walkedTo) > TAG_HEAD_BYTES && last - earliest <= secondsMax,
    hasVideo,
  };
}

/** Reports whether a tag sets a decoder up. Such a tag holds no samples, and may have a time long before them. */
function isSetUpTag(type: number, [first, second]: FlvTag['body']): boolean {
  const isCoded = type === AUDIO ? first >> 4 === AAC : type === VIDEO && (first & 15) === AVC;
  return isCoded && second === 0;
}

/** Reads the first byte of a tag. Of AAC its rate and channels are not those of the stream, which its set-up states. */
function readFormat(head: number) {
  const number = head >> 4;
  const codec = CODECS[number] ?? `flv_${number}`;
  const sampleRate = number === AAC ? 44_100 : Math.floor(44_100 / 2 ** (3 - ((head >> 2) & 3)));
  return { codec, sampleRate, channelCount: number === AAC || head & 1 ? 2 : 1 };
}
