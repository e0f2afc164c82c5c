import { OperationError } from '../../operation/errors.ts';
import type { ByteWindow } from '../bytes/byte-window.ts';
import { CLUSTER, SEGMENT } from './element-head.ts';
import { type MovieHeader, TRACKS_MAX } from './movie-header.ts';

/** Further ids of elements. */
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
const TIMESTAMP = 0xe7;
const SIMPLE_BLOCK = 0xa3;
const BLOCK_GROUP = 0xa0;
const BLOCK = 0xa1;
const BLOCK_DURATION = 0x9b;

const PICTURE_TYPE = 1;
const SOUND_TYPE = 2;
const PIXELS = 0;
const ELEMENTS_MAX = 100_000;

/** `end` is that of the parent element when the element's own size is unknown, as in live recordings. */
interface Element {
  readonly id: number;
  readonly start: number;
  readonly end: number;
}

interface Track {
  readonly type: number;
  readonly number: number;
  readonly frameSeconds: number | null;
  readonly width: number;
  readonly height: number;
}

/** Blocks that are read to find the first time of each track: a track may start late. */
const FIRST_BLOCKS_MAX = 500;

/** Times of the blocks read so far, in ticks. */
interface BlockTimes {
  /** First time of each track, by its number. */
  readonly firsts: Map<number, number>;
  lastTick: number;
  blocks: number;
  pictures: number;
}

/**
 * Reads the header of a WebM or Matroska file, and the first blocks, since time need not begin at 0. Live recordings
 * state no duration: their block headers are read until one lies beyond `secondsMax`.
 * @throws OperationError `bad_request` when elements are missing or inconsistent
 */
export async function readMatroska(bytes: ByteWindow, secondsMax: number): Promise<MovieHeader> {
  const reader = new ElementReader(bytes);
  let tickSeconds = 0.001;
  let ticks = 0;
  let clusterTick = 0;
  const tracks: Track[] = [];
  const times: BlockTimes = { firsts: new Map(), lastTick: 0, blocks: 0, pictures: 0 };
  for await (const element of reader.flattened({ id: 0, start: 0, end: bytes.size })) {
    if (element.id === TIMESTAMP_SCALE) tickSeconds = (await reader.unsigned(element)) / 1e9;
    else if (element.id === DURATION) ticks = await reader.float(element);
    else if (element.id === TRACK_ENTRY) {
      tracks.push(await readTrack(reader, element));
      if (tracks.length > TRACKS_MAX) throw damaged('it has too many tracks');
    } else if (element.id === TIMESTAMP) clusterTick = await reader.unsigned(element);
    else if (element.id === SIMPLE_BLOCK || element.id === BLOCK) {
      const { track, tick } = await reader.block(element);
      addBlock(times, tracks, track, clusterTick + tick);
      if (ticks > 0 && hasFirsts(times, tracks)) break;
      if ((times.lastTick - originOf(times)) * tickSeconds > secondsMax) break;
    } else if (element.id === BLOCK_DURATION) times.lastTick += await reader.unsigned(element);
  }
  return headerOf(tracks, times, { ticks, tickSeconds });
}

function addBlock(times: BlockTimes, tracks: readonly Track[], track: number, tick: number): void {
  const type = tracks.find(({ number }) => number === track)?.type;
  times.blocks += 1;
  times.lastTick = Math.max(times.lastTick, tick);
  if (type === PICTURE_TYPE) times.pictures += 1;
  if (type === PICTURE_TYPE || type === SOUND_TYPE) {
    times.firsts.set(track, Math.max(0, Math.min(times.firsts.get(track) ?? tick, tick)));
  }
}

/** Reports whether the first time of each track of pictures or sound is known, or looked for long enough. */
function hasFirsts({ firsts, blocks }: BlockTimes, tracks: readonly Track[]): boolean {
  const played = tracks.filter(({ type }) => type === PICTURE_TYPE || type === SOUND_TYPE);
  return blocks >= FIRST_BLOCKS_MAX || played.every(({ number }) => firsts.has(number));
}

/** Returns the tick at which the first track starts. */
function originOf({ firsts }: BlockTimes): number {
  return firsts.size === 0 ? 0 : Math.min(...firsts.values());
}

function headerOf(
  tracks: readonly Track[],
  times: BlockTimes,
  { ticks, tickSeconds }: { readonly ticks: number; readonly tickSeconds: number },
): MovieHeader {
  const picture = tracks.find(({ type, width }) => type === PICTURE_TYPE && width > 0);
  const isLive = ticks === 0;
  const origin = originOf(times);
  const liveSeconds = (times.lastTick - origin) * tickSeconds;
  const { pictures } = times;
  const frameSeconds =
    picture?.frameSeconds ?? (isLive && pictures > 1 ? liveSeconds / (pictures - 1) : null);
  // Some programs state the length, others the time of the end.
  const statedTicks = ticks > origin ? ticks - origin : ticks;
  const durationSeconds = isLive ? liveSeconds + (frameSeconds ?? 0) : statedTicks * tickSeconds;
  return {
    width: picture?.width ?? 0,
    height: picture?.height ?? 0,
    durationSeconds,
    frameCount: isLive ? pictures : frameSeconds && Math.round(durationSeconds / frameSeconds),
    isFrameCountExact: isLive,
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
  const isInPixels = number(DISPLAY_UNIT) === PIXELS;
  return {
    type: number(TRACK_TYPE),
    number: number(TRACK_NUMBER),
    frameSeconds: nanoseconds > 0 ? nanoseconds / 1e9 : null,
    width: (isInPixels && number(DISPLAY_WIDTH)) || number(PIXEL_WIDTH),
    height: (isInPixels && number(DISPLAY_HEIGHT)) || number(PIXEL_HEIGHT),
  };
}

const NUMBERS = new Set([
  ...[TRACK_TYPE, TRACK_NUMBER, DEFAULT_DURATION, PIXEL_WIDTH, PIXEL_HEIGHT],
  ...[DISPLAY_WIDTH, DISPLAY_HEIGHT, DISPLAY_UNIT],
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

  /** Iterates over the elements within another; those in `MASTERS` come before their contents. */
  async *flattened({ start, end }: Element): AsyncGenerator<Element> {
    for (let at = start; at + 2 <= end; ) {
      if (++this.#count > ELEMENTS_MAX) throw damaged('it has too many elements');
      const id = await this.#variable(at, end, true);
      const size = await this.#variable(at + id.bytes, end, false);
      const body = at + id.bytes + size.bytes;
      const element = {
        id: id.value,
        start: body,
        end: size.value === null ? end : Math.min(end, body + size.value),
      };
      yield element;
      at = MASTERS.has(id.value) ? body : element.end;
      if (size.value === null && !MASTERS.has(id.value)) throw damaged('its elements are inconsistent');
    }
  }

  async unsigned({ start, end }: Element): Promise<number> {
    if (end - start > 8) throw damaged('its elements are inconsistent');
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
    const track = await this.#variable(start, end, false);
    const view = await this.#bytes.read(start + track.bytes, 2);
    return { track: track.value ?? 0, tick: view.getInt16(0) };
  }

  /** Reads a variable-length number; without its marker null when all bits are ones, which means unknown. */
  async #variable(at: number, end: number, keepsMarker: true): Promise<{ value: number; bytes: number }>;
  async #variable(
    at: number,
    end: number,
    keepsMarker: false,
  ): Promise<{ value: number | null; bytes: number }>;
  async #variable(at: number, end: number, keepsMarker: boolean) {
    const first = (await this.#bytes.read(at, 1)).getUint8(0);
    const bytes = Math.clz32(first) - 23;
    if (bytes > 8 || at + bytes > end) throw damaged('its elements are inconsistent');
    const view = await this.#bytes.read(at, bytes);
    let value = keepsMarker ? first : first & (0xff >> bytes);
    let isUnknown = value === 0xff >> bytes;
    for (let index = 1; index < bytes; index++) {
      value = value * 256 + view.getUint8(index);
      isUnknown &&= view.getUint8(index) === 0xff;
    }
    return { value: !keepsMarker && isUnknown ? null : value, bytes };
  }
}

function damaged(fault: string): OperationError {
  return new OperationError('bad_request', `The video is damaged: ${fault}. Send the whole file.`, {
    kind: 'damaged',
  });
}
