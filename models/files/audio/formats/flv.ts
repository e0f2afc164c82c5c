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
/** More than 4 hours have of video and sound together. */
const TAGS_MAX = 4_000_000;

/**
 * Measures a Flash video by the times of its tags.
 * @throws OperationError `bad_request` when it has no audio, or tags do not fit together
 */
export async function readFlv(bytes: ByteReader, secondsMax: number): Promise<RawAudio> {
  let format: Pick<RawAudio, 'codec' | 'sampleRate' | 'channelCount'> | null = null;
  let hasVideo = false;
  let first: number | null = null;
  let [last, lastSeconds] = [0, 0];
  let earliest = Number.POSITIVE_INFINITY;
  let at = (await bytes.view(0, 9)).getUint32(5) + 4;
  for (let count = 0; at + TAG_HEAD_BYTES + 2 <= bytes.size && count < TAGS_MAX; count++) {
    const view = await bytes.view(at, TAG_HEAD_BYTES + 2);
    const [type, size] = [view.getUint8(0) & 31, view.getUint32(0) & 0xff_ffff];
    const seconds = ((view.getUint32(4) >>> 8) + (view.getUint8(7) << 24)) / 1000;
    const isMedia = type === AUDIO || type === VIDEO;
    if (!isMedia && type !== SCRIPT) break;
    const isSetUp = type === AUDIO && view.getUint8(11) >> 4 === AAC && view.getUint8(12) === 0;
    if (isMedia && size > 0) earliest = Math.min(earliest, seconds);
    hasVideo ||= type === VIDEO;
    if (type === AUDIO && size > 1) format ??= readFormat(view.getUint8(11));
    if (type === AUDIO && size > 1 && !isSetUp) {
      lastSeconds = first === null ? 0 : seconds - last;
      last = seconds;
      first ??= seconds;
    }
    at += TAG_HEAD_BYTES + size + 4;
    if (seconds - earliest > secondsMax) break;
  }
  if (!format) throw noAudio();
  if (first === null) throw damagedAudio('it holds no samples');
  return {
    ...format,
    durationSeconds: last - earliest + lastSeconds,
    startSeconds: first - earliest,
    isTimed: true,
    // What follows is no tag, or the last tag ends behind the file.
    isCutOff: Math.abs(bytes.size - at) > TAG_HEAD_BYTES && last - earliest <= secondsMax,
    hasVideo,
  };
}

/** Reads the first byte of a tag. Of AAC its rate and channels are not those of the stream. */
function readFormat(head: number) {
  const number = head >> 4;
  const codec = CODECS[number] ?? `flv_${number}`;
  const sampleRate = number === AAC ? 44_100 : Math.floor(44_100 / 2 ** (3 - ((head >> 2) & 3)));
  return { codec, sampleRate, channelCount: number === AAC || head & 1 ? 2 : 1 };
}
