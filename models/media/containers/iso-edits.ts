import { OperationError } from '../../core/operation/errors.ts';
import type { TrackClock } from '../../kernels/track-clock.ts';
import { ByteWindow } from '../bytes/byte-window.ts';
import { type Box, BoxReader, damagedMovie, requiredBox } from './box-reader.ts';

/** Edit list of a track: ISO 14496-12, 8.6.6. */
export interface IsoEdits {
  /** Stretches in media times, on the clock of the movie. */
  readonly clock: TrackClock;
  /** Media time that mediabunny (1.61) takes for 0: it reads the first edit only, and its start only. */
  readonly zeroSeconds: number;
}

interface EditEntry {
  readonly seconds: number;
  /** Null for an empty edit, and for one that holds a frame. */
  readonly mediaTicks: number | null;
  readonly isAtFullRate: boolean;
}

/** Scales of the times in an edit list, in ticks per second. */
export interface EditScales {
  readonly movie: number;
  readonly media: number;
  /** Length of the media in its ticks; 0 where it is unknown. */
  readonly wholeTicks: number;
  /** Whether samples follow in fragments, which the last edit includes whatever length it states. */
  readonly isFragmented: boolean;
}

const ENTRIES_MAX = 10_000;
const READS_MAX = 4096;
const FULL_RATE = 0x10000;

/**
 * Reads the edit lists of a file by the ids of its tracks, in the times that mediabunny gives to packets.
 * @returns an empty map for other containers and damaged headers, which other readers refuse
 */
export async function readPacketEdits(file: Blob): Promise<ReadonlyMap<number, TrackClock>> {
  const reader = new BoxReader(new ByteWindow(file, { noun: 'video', readsMax: READS_MAX }));
  const clocks = new Map<number, TrackClock>();
  try {
    const moov = await reader.first('moov', file.size);
    const inMoov = moov ? await reader.boxes(moov) : [];
    const isFragmented = inMoov.some(({ type }) => type === 'mvex');
    const mvhd = inMoov.find(({ type }) => type === 'mvhd');
    if (!mvhd) return clocks;
    for (const trak of inMoov.filter(({ type }) => type === 'trak')) {
      const inTrak = await reader.boxes(trak);
      const mdhd = requiredBox(await reader.boxes(requiredBox(inTrak, 'mdia')), 'mdhd');
      const [movie, media] = [await readTimescale(reader, mvhd), await readTimescale(reader, mdhd)];
      const wholeTicks = await readMediaTicks(reader, mdhd);
      const edits = await readEdits(reader, inTrak, { movie, media, wholeTicks, isFragmented });
      if (edits) clocks.set(await readTrackId(reader, requiredBox(inTrak, 'tkhd')), inPacketTimes(edits));
    }
  } catch (thrown) {
    if (!(thrown instanceof OperationError)) throw thrown;
  }
  return clocks;
}

function inPacketTimes({ clock, zeroSeconds }: IsoEdits): TrackClock {
  return clock.map(({ fromSeconds, toSeconds, startSeconds }) => ({
    fromSeconds: fromSeconds - zeroSeconds,
    toSeconds: toSeconds - zeroSeconds,
    startSeconds,
  }));
}

/** Reads the edit list of a track, or null where it has none. @param inTrak boxes of the track */
export async function readEdits(
  reader: BoxReader,
  inTrak: readonly Box[],
  scales: EditScales,
): Promise<IsoEdits | null> {
  const edts = inTrak.find(({ type }) => type === 'edts');
  const elst = edts && (await reader.boxes(edts)).find(({ type }) => type === 'elst');
  if (!elst) return null;
  const head = await reader.view(elst, 8);
  const isLong = head.getUint8(0) === 1;
  const count = head.getUint32(4);
  if (count > ENTRIES_MAX) throw damagedMovie('its edit list is too long');
  const entryBytes = isLong ? 20 : 12;
  const view = await reader.view(elst, 8 + count * entryBytes);
  const entries = Array.from({ length: count }, (_, at) =>
    readEntry(view, 8 + at * entryBytes, isLong, scales.movie),
  );
  return { clock: getClock(entries, scales), zeroSeconds: getZero(entries, scales.media) };
}

function readEntry(view: DataView, at: number, isLong: boolean, movieTimescale: number): EditEntry {
  const ticks = isLong ? Number(view.getBigUint64(at)) : view.getUint32(at);
  const mediaTicks = isLong ? Number(view.getBigInt64(at + 8)) : view.getInt32(at + 4);
  const rate = view.getInt32(at + (isLong ? 16 : 8));
  return {
    seconds: ticks / movieTimescale,
    mediaTicks: mediaTicks < 0 || rate === 0 ? null : mediaTicks,
    isAtFullRate: rate === FULL_RATE,
  };
}

function getClock(
  entries: readonly EditEntry[],
  { movie, media, wholeTicks, isFragmented }: EditScales,
): TrackClock {
  const last = entries.findLastIndex(({ mediaTicks }) => mediaTicks !== null);
  let startSeconds = 0;
  return entries.flatMap(({ seconds, mediaTicks }, at) => {
    const isOpen = mediaTicks !== null && at === last && (isFragmented || seconds === 0);
    const start = startSeconds;
    startSeconds += seconds;
    if (mediaTicks === null || !(seconds > 0 || isOpen)) return [];
    const fromSeconds = mediaTicks / media;
    const endSeconds = fromSeconds + seconds;
    // Lengths have the unit of the movie: what ends within one of the media's end was rounded.
    const isWhole = Math.abs(wholeTicks / media - endSeconds) < 1 / movie;
    const toSeconds = isOpen ? Number.POSITIVE_INFINITY : isWhole ? wholeTicks / media : endSeconds;
    return [{ fromSeconds, toSeconds, startSeconds: start }];
  });
}

function getZero(entries: readonly EditEntry[], mediaTimescale: number): number {
  const first = entries.findIndex(({ mediaTicks }) => mediaTicks !== null);
  const entry = entries[first];
  if (!entry?.isAtFullRate) return 0;
  const emptySeconds = entries.slice(0, first).reduce((sum, { seconds }) => sum + seconds, 0);
  return ((entry.mediaTicks ?? 0) - Math.round(emptySeconds * mediaTimescale)) / mediaTimescale;
}

/** Reads the units per second of `mvhd` or `mdhd`. */
export async function readTimescale(reader: BoxReader, header: Box): Promise<number> {
  const timescale = await reader.number(header, 12, 20);
  if (timescale === 0) throw damagedMovie('its timescale is 0');
  return timescale;
}

/** Reads the duration of `mdhd`, that of all samples; 0 where it is unknown. */
export async function readMediaTicks(reader: BoxReader, mdhd: Box): Promise<number> {
  return knownTicks(await reader.number(mdhd, 16, 24, true));
}

/** Returns 0 in place of all ones, in 32 or 64 bits, which mean unknown. */
export function knownTicks(ticks: number): number {
  return ticks === 0xffff_ffff || ticks >= 2 ** 60 ? 0 : ticks;
}

/** Reads the id of a track from its `tkhd`. */
export function readTrackId(reader: BoxReader, tkhd: Box): Promise<number> {
  return reader.number(tkhd, 12, 20);
}
