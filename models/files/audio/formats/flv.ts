import { readAacFormat } from './aac-configuration.ts';
import { type ByteReader, damagedAudio } from './byte-reader.ts';
import { noAudio } from './no-audio.ts';
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
const TAG_HEAD_BYTES = 11;
const AAC = 10;
const AVC = 7;
/** Place of the AudioSpecificConfig in a tag that sets AAC up, and the bytes of it that are read. */
const CONFIG_AT = TAG_HEAD_BYTES + 2;
const CONFIG_BYTES = 5;
/** More than 4 hours have of video and sound together. */
const TAGS_MAX = 4_000_000;
/** Bytes before the first tag: the header states them, and the length of no tag follows. */
const HEADER_BYTES = 9;
/** Length of a tag, which follows it. */
const LENGTH_BYTES = 4;
/** Bytes that are searched at once behind damage, and the tags in a row that end it. */
const BLOCK_BYTES = 1_048_576;
const CONFIRMING_TAGS = 3;
/** Places that are looked at more closely: a crafted file has one at every byte, and each costs reads. */
const CANDIDATES_MAX = 5000;

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
async function readTag(bytes: ByteReader, at: number): Promise<FlvTag | null> {
  const head = await bytes.read(at, TAG_HEAD_BYTES + 2);
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

/** Walk over the tags of a Flash video, behind damage as well. */
export class FlvWalk {
  /** Place behind the last tag. */
  at = 0;
  /** Whether there were bytes between tags. */
  isDamaged = false;
  readonly #bytes: ByteReader;
  #candidates = 0;

  constructor(bytes: ByteReader) {
    this.#bytes = bytes;
  }

  /** Yields the tags up to the header of another file. @throws OperationError `bad_request` without a header */
  async *tags(): AsyncGenerator<FlvTag> {
    this.at = (await this.#bytes.view(0, HEADER_BYTES)).getUint32(5) + LENGTH_BYTES;
    for (let count = 0; count < TAGS_MAX; count++) {
      const tag = await readTag(this.#bytes, this.at);
      if (tag) {
        this.at = tag.end;
        yield tag;
        continue;
      }
      if (this.at + TAG_HEAD_BYTES > this.#bytes.size || (await isFlvHeader(this.#bytes, this.at))) return;
      const next = await this.#nextTag(this.at + 1);
      if (next === null) return;
      this.isDamaged = true;
      this.at = next;
    }
  }

  /** Finds the next place from which on tags follow each other; null when there is none. */
  async #nextTag(from: number): Promise<number | null> {
    for (let start = from; start + TAG_HEAD_BYTES < this.#bytes.size; start += BLOCK_BYTES) {
      const block = await this.#bytes.read(start, BLOCK_BYTES + TAG_HEAD_BYTES);
      for (let at = 0; at + TAG_HEAD_BYTES <= block.length; at++) {
        const type = block[at] ?? 0;
        // The number of the stream is always 0.
        const mayBeTag =
          (type === AUDIO || type === VIDEO) && !block[at + 8] && !block[at + 9] && !block[at + 10];
        if (!mayBeTag) continue;
        if (++this.#candidates > CANDIDATES_MAX) return null;
        if (await this.#isChain(start + at)) return start + at;
      }
    }
    return null;
  }

  /** Reports whether tags begin at a place, each of which states its length behind it. */
  async #isChain(from: number): Promise<boolean> {
    let at = from;
    for (let tags = 0; tags < CONFIRMING_TAGS; tags++) {
      const tag = await readTag(this.#bytes, at);
      if (!tag || tag.end > this.#bytes.size) return tags > 0 && at === this.#bytes.size;
      const stated = (await this.#bytes.view(tag.end - LENGTH_BYTES, LENGTH_BYTES)).getUint32(0);
      if (stated !== TAG_HEAD_BYTES + tag.size) return false;
      at = tag.end;
    }
    return true;
  }
}

/** Reports whether a file begins at a place. */
export async function isFlvHeader(bytes: ByteReader, at: number): Promise<boolean> {
  return String.fromCharCode(...(await bytes.read(at, 4))) === 'FLV\x01';
}

/**
 * Measures a Flash video by the times of its tags.
 * @throws OperationError `bad_request` when it has no audio, or tags do not fit together
 */
export async function readFlv(bytes: ByteReader, secondsMax: number): Promise<RawAudio> {
  let format: Pick<RawAudio, 'codec' | 'sampleRate' | 'channelCount'> | null = null;
  let stated: ReturnType<typeof readAacFormat> = null;
  let hasVideo = false;
  let first: number | null = null;
  let [last, lastSeconds] = [0, 0];
  let earliest = Number.POSITIVE_INFINITY;
  const walk = new FlvWalk(bytes);
  for await (const { at, type, size, seconds, body } of walk.tags()) {
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
    isCutOff: Math.abs(bytes.size - walk.at) > TAG_HEAD_BYTES && last - earliest <= secondsMax,
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
