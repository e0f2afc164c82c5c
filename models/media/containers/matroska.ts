import { PRIMING_SECONDS_MAX } from '../../kernels/track-clock.ts';
import type { ByteWindow } from '../bytes/byte-window.ts';
import { cropMargins } from '../parameter-sets/clean-aperture.ts';
import { damagedMovie } from './box-reader.ts';
import { CLUSTER, HEAD_BYTES, parseBlockHead, parseElementHead, SEGMENT } from './element-head.ts';
import { type MovieHeader, TRACKS_MAX } from './movie-header.ts';
import { getPictureShape, type PictureShape } from './picture-shape.ts';

/** Further ids of elements. */
const HEADER = 0x1a45dfa3;
const INFO = 0x1549a966;
const TIMESTAMP_SCALE = 0x2ad7b1;
const DURATION = 0x4489;
const TRACKS = 0x1654ae6b;
const TRACK_ENTRY = 0xae;
const TRACK_TYPE = 0x83;
const TRACK_NUMBER = 0xd7;
const DEFAULT_DURATION = 0x23e383;
const VIDEO = 0xe0;
const PIXEL_WIDTH = 0xb0;
const PIXEL_HEIGHT = 0xba;
const DISPLAY_WIDTH = 0x54b0;
const DISPLAY_HEIGHT = 0x54ba;
const DISPLAY_UNIT = 0x54b2;
const [CROP_LEFT, CROP_TOP, CROP_RIGHT, CROP_BOTTOM] = [0x54cc, 0x54bb, 0x54dd, 0x54aa];
const TIMESTAMP = 0xe7;
const SIMPLE_BLOCK = 0xa3;
const BLOCK_GROUP = 0xa0;
const BLOCK = 0xa1;
const BLOCK_DURATION = 0x9b;

const PICTURE_TYPE = 1;
const SOUND_TYPE = 2;
/** Unit of a display size that states nothing. */
const UNKNOWN_UNIT = 4;
const ELEMENTS_MAX = 100_000;

/** `end` is that of the parent element when the element's own size is unknown, as in live recordings. */
interface Element {
  readonly id: number;
  readonly start: number;
  readonly end: number;
  /** Whether its parent, such as a file that was cut off, ends before it. */
  readonly isCut: boolean;
}

interface Track {
  readonly type: number;
  readonly number: number;
  readonly frameSeconds: number | null;
  readonly shape: PictureShape;
}

/** Blocks that are read to find the first time of each track: a track may start late. */
const FIRST_BLOCKS_MAX = 500;

/** Start from which on the header's length is checked: programs differ in what they state. */
const LATE_SECONDS = 0.1;

/** Facts that the header states. */
interface DeclaredHeader {
  tickSeconds: number;
  /** 0 in live recordings. */
  ticks: number;
  /** Whether the file ends before its segment. */
  isCutOff: boolean;
}

/** Times of the blocks read so far, in ticks. */
interface BlockTimes {
  /** First time of each track, by its number. */
  readonly firsts: Map<number, number>;
  /** End of the pictures and sounds, as far as blocks state their lengths. */
  endTick: number;
  /** Time of the latest block; null for one of neither kind. */
  tick: number | null;
  /** Times of the first and the last picture. */
  firstPictureTick: number;
  lastPictureTick: number;
  blocks: number;
  pictures: number;
}

/**
 * Reads the header of a WebM or Matroska file, and the first blocks, since time need not begin at 0. The heads of all
 * blocks are read, until one lies beyond `secondsMax`, where the header is not enough: live recordings state no
 * duration, some programs state the time of the end in its place, and a file that was cut off does not last as long.
 * @throws OperationError `bad_request` when elements are missing or inconsistent
 */
export async function readMatroska(bytes: ByteWindow, secondsMax: number): Promise<MovieHeader> {
  const reader = new ElementReader(bytes);
  const stated: DeclaredHeader = { tickSeconds: 0.001, ticks: 0, isCutOff: false };
  const tracks: Track[] = [];
  const times: BlockTimes = {
    firsts: new Map(),
    endTick: 0,
    tick: null,
    firstPictureTick: Number.POSITIVE_INFINITY,
    lastPictureTick: 0,
    blocks: 0,
    pictures: 0,
  };
  let clusterTick = 0;
  for await (const element of reader.flattened({ start: 0, end: bytes.size })) {
    const { id } = element;
    // Of joined files the first is read.
    if (id === HEADER && tracks.length > 0) break;
    if (id === SEGMENT) stated.isCutOff ||= element.isCut;
    else if (id === TIMESTAMP_SCALE) stated.tickSeconds = (await reader.unsigned(element)) / 1e9;
    else if (id === DURATION) stated.ticks = await reader.float(element);
    else if (id === TRACK_ENTRY) {
      tracks.push(await readTrack(reader, element));
      if (tracks.length > TRACKS_MAX) throw damagedMovie('it has too many tracks');
    } else if (id === TIMESTAMP) clusterTick = await reader.unsigned(element);
    else if ((id === SIMPLE_BLOCK || id === BLOCK) && !element.isCut) {
      const { track, tick } = await reader.block(element);
      addBlock(times, getType(tracks, track), track, clusterTick + tick);
      if (!needsMeasure(times, stated) && hasFirsts(times, tracks)) break;
      if ((times.endTick - getOrigin(times, stated.tickSeconds)) * stated.tickSeconds > secondsMax) break;
    } else if (id === BLOCK_DURATION && times.tick !== null) {
      times.endTick = Math.max(times.endTick, times.tick + (await reader.unsigned(element)));
    }
  }
  return getHeader(tracks, times, { ...stated, isMeasured: needsMeasure(times, stated), secondsMax });
}

function getType(tracks: readonly Track[], number: number): number | undefined {
  return tracks.find((track) => track.number === number)?.type;
}

function addBlock(times: BlockTimes, type: number | undefined, track: number, tick: number): void {
  const isPicture = type === PICTURE_TYPE;
  const isPlayed = isPicture || type === SOUND_TYPE;
  times.blocks += 1;
  times.tick = isPlayed ? tick : null;
  if (!isPlayed) return;
  if (isPicture) {
    times.pictures += 1;
    times.firstPictureTick = Math.min(times.firstPictureTick, tick);
    times.lastPictureTick = Math.max(times.lastPictureTick, tick);
  }
  times.endTick = Math.max(times.endTick, tick);
  times.firsts.set(track, Math.min(times.firsts.get(track) ?? tick, tick));
}

/** Reports whether the length that the header states is none, or not that of what can be played. */
function needsMeasure(times: BlockTimes, { ticks, tickSeconds, isCutOff }: DeclaredHeader): boolean {
  return ticks === 0 || isCutOff || Math.abs(getOrigin(times, tickSeconds)) * tickSeconds > LATE_SECONDS;
}

/** Reports whether the first time of each track of pictures or sound is known, or looked for long enough. */
function hasFirsts({ firsts, blocks }: BlockTimes, tracks: readonly Track[]): boolean {
  const played = tracks.filter(({ type }) => type === PICTURE_TYPE || type === SOUND_TYPE);
  return blocks >= FIRST_BLOCKS_MAX || played.every(({ number }) => firsts.has(number));
}

/** Returns the tick at which the first track starts: what little lies before 0 is the priming of an encoder. */
function getOrigin({ firsts }: BlockTimes, tickSeconds: number): number {
  const first = firsts.size === 0 ? 0 : Math.min(...firsts.values());
  return first * tickSeconds < -PRIMING_SECONDS_MAX ? first : Math.max(0, first);
}

function getHeader(
  tracks: readonly Track[],
  times: BlockTimes,
  {
    ticks,
    tickSeconds,
    isMeasured,
    secondsMax,
  }: DeclaredHeader & { readonly isMeasured: boolean; readonly secondsMax: number },
): MovieHeader {
  const shown = tracks.filter(({ type, shape }) => type === PICTURE_TYPE && shape.width > 0);
  const [picture] = shown;
  const origin = getOrigin(times, tickSeconds);
  const { endTick, firstPictureTick, lastPictureTick, pictures } = times;
  const frameSeconds =
    picture?.frameSeconds ??
    (isMeasured && pictures > 1
      ? ((lastPictureTick - firstPictureTick) * tickSeconds) / (pictures - 1)
      : null);
  const readSeconds = (endTick - origin) * tickSeconds;
  const measuredSeconds = Math.max(
    readSeconds,
    pictures > 0 ? (lastPictureTick - origin) * tickSeconds + (frameSeconds ?? 0) : 0,
  );
  // Some programs state the length, others the time of the end.
  const statedSeconds = (ticks > origin ? ticks - origin : ticks) * tickSeconds;
  // Blocks beyond the limit were not read.
  const longestSeconds =
    readSeconds > secondsMax ? Math.max(statedSeconds, measuredSeconds) : measuredSeconds;
  const durationSeconds = isMeasured ? longestSeconds : statedSeconds;
  return {
    width: picture?.shape.width ?? 0,
    height: picture?.shape.height ?? 0,
    shapes: new Map(shown.map(({ number, shape }) => [number, shape])),
    durationSeconds,
    frameCount: isMeasured ? pictures : frameSeconds && Math.round(durationSeconds / frameSeconds),
    isFrameCountExact: isMeasured,
    hasAudio: tracks.some(({ type }) => type === SOUND_TYPE),
  };
}

async function readTrack(reader: ElementReader, entry: Element): Promise<Track> {
  const values = new Map<number, number>();
  for await (const element of reader.flattened(entry)) {
    if (NUMBERS.has(element.id)) values.set(element.id, await reader.unsigned(element));
  }
  const number = (id: number) => values.get(id) ?? 0;
  const nanoseconds = number(DEFAULT_DURATION);
  return {
    type: number(TRACK_TYPE),
    number: number(TRACK_NUMBER),
    frameSeconds: nanoseconds > 0 ? nanoseconds / 1e9 : null,
    shape: readShape(number),
  };
}

/**
 * Reads how pictures are shown: the part that PixelCrop states, with the ratio of its sides, in whatever unit. What the
 * coded stream states counts for nothing: the ratio defaults to that of the pixels (RFC 9559, 5.1.4.1.28).
 */
function readShape(number: (id: number) => number): PictureShape {
  const coded = { width: number(PIXEL_WIDTH), height: number(PIXEL_HEIGHT) };
  const crop = cropMargins(coded, {
    left: number(CROP_LEFT),
    top: number(CROP_TOP),
    right: number(CROP_RIGHT),
    bottom: number(CROP_BOTTOM),
  });
  const isKnown = number(DISPLAY_UNIT) < UNKNOWN_UNIT;
  const width = (isKnown && number(DISPLAY_WIDTH)) || crop.width;
  const height = (isKnown && number(DISPLAY_HEIGHT)) || crop.height;
  return getPictureShape(coded, crop, { width: width * crop.height, height: height * crop.width });
}

const NUMBERS = new Set([
  ...[TRACK_TYPE, TRACK_NUMBER, DEFAULT_DURATION, PIXEL_WIDTH, PIXEL_HEIGHT],
  ...[DISPLAY_WIDTH, DISPLAY_HEIGHT, DISPLAY_UNIT, CROP_LEFT, CROP_TOP, CROP_RIGHT, CROP_BOTTOM],
]);
/** Elements whose contents are visited. Track entries are read separately. */
const MASTERS = new Set([SEGMENT, INFO, TRACKS, VIDEO, CLUSTER, BLOCK_GROUP]);

/** Reader of EBML elements: RFC 8794. */
class ElementReader {
  readonly #bytes: ByteWindow;
  #count = 0;

  constructor(bytes: ByteWindow) {
    this.#bytes = bytes;
  }

  /**
   * Iterates over the elements within another; those in `MASTERS` come before their contents. A file that was cut off
   * may end within the head of one.
   */
  async *flattened({ start, end }: Pick<Element, 'start' | 'end'>): AsyncGenerator<Element> {
    for (let at = start; at + 2 <= end; ) {
      if (++this.#count > ELEMENTS_MAX) throw damagedMovie('it has too many elements');
      const headBytes = Math.min(HEAD_BYTES, end - at);
      const view = await this.#bytes.read(at, headBytes);
      const head = parseElementHead(new Uint8Array(view.buffer, view.byteOffset, headBytes));
      if (!head && headBytes < HEAD_BYTES) return;
      if (!head) throw damagedMovie('its elements are inconsistent');
      const { id, size } = head;
      const body = at + head.bytes;
      const isCut = size !== null && body + size > end;
      const element = { id, start: body, end: size === null || isCut ? end : body + size, isCut };
      yield element;
      at = MASTERS.has(id) ? body : element.end;
      if (size === null && !MASTERS.has(id)) throw damagedMovie('its elements are inconsistent');
    }
  }

  async unsigned({ start, end }: Element): Promise<number> {
    if (end - start > 8) throw damagedMovie('its elements are inconsistent');
    const view = await this.#bytes.read(start, end - start);
    let value = 0;
    for (let at = 0; at < view.byteLength; at++) value = value * 256 + view.getUint8(at);
    return value;
  }

  async float({ start, end }: Element): Promise<number> {
    const view = await this.#bytes.read(start, end - start === 8 ? 8 : 4);
    return view.byteLength === 8 ? view.getFloat64(0) : view.getFloat32(0);
  }

  /** Reads a block's track number and its start within the cluster. */
  async block({ start, end }: Element): Promise<{ track: number; tick: number }> {
    const view = await this.#bytes.read(start, Math.min(HEAD_BYTES, end - start));
    const head = parseBlockHead(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
    if (!head) throw damagedMovie('its elements are inconsistent');
    return head;
  }
}
