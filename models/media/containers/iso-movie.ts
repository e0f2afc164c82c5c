import { endOfClock, placeTracks, playedSeconds, type TrackClock } from '../../kernels/track-clock.ts';
import type { ByteWindow } from '../bytes/byte-window.ts';
import { readFourCc } from '../bytes/text.ts';
import { assertBoundedDecoding } from './bounded-reads.ts';
import { type Box, BoxReader, damagedMovie, requiredBox } from './box-reader.ts';
import { knownTicks, readEdits, readMediaTicks, readTimescale, readTrackId } from './iso-edits.ts';
import { type FragmentSpan, readFragments } from './iso-fragments.ts';
import { type MovieHeader, TRACKS_MAX } from './movie-header.ts';
import { type PictureShape, readIsoShape } from './picture-shape.ts';

interface Track {
  readonly id: number;
  readonly kind: string;
  readonly isOnSide: boolean;
  /** Null for audio. */
  readonly shape: PictureShape | null;
  readonly timescale: number;
  /** Length of the samples outside fragments, in ticks. */
  readonly mediaTicks: number;
  /** Difference between the first sample's time and its place in decoding order, in ticks. */
  readonly firstOffset: number;
  readonly sampleCount: number;
  readonly edits: TrackClock | null;
}

/** Track with the times of its samples in seconds, before edits. */
interface TimedTrack extends Track {
  readonly firstSeconds: number;
  readonly endSeconds: number;
}

/** Share of the media from which on all of it counts as played: edit lists round. */
const WHOLE_SHARE = 0.999;

/**
 * Reads the `moov` box of an MP4 or MOV file, and the headers of its fragments, if any. Times count what is played.
 * @throws OperationError `bad_request` when boxes are missing or inconsistent, `unprocessable` when an edit list goes
 * back in time too often
 */
export async function readIsoMovie(bytes: ByteWindow): Promise<MovieHeader> {
  const reader = new BoxReader(bytes);
  const all = await reader.boxes({ type: '', start: 0, end: bytes.size });
  // Of joined files the first is read.
  const next = all.findIndex(({ type }, at) => type === 'ftyp' && at > 0);
  const top = next < 0 ? all : all.slice(0, next);
  const moov = top.find(({ type }) => type === 'moov');
  if (!moov) throw damagedMovie('it has no header (moov)');
  const inMoov = await reader.boxes(moov);
  const movie = await readTimescale(reader, requiredBox(inMoov, 'mvhd'));
  const isFragmented = inMoov.some(({ type }) => type === 'mvex');
  const traks = inMoov.filter(({ type }) => type === 'trak');
  if (traks.length > TRACKS_MAX) throw damagedMovie('it has too many tracks');
  const tracks: Track[] = [];
  for (const trak of traks) {
    const track = await readTrack(reader, trak, { movie, isFragmented });
    if (track) tracks.push(track);
  }
  return getHeader(tracks, await readFragments(reader, top, inMoov, mediaEnds(tracks)));
}

function mediaEnds(tracks: readonly Track[]): ReadonlyMap<number, number> {
  return new Map(tracks.map(({ id, mediaTicks }) => [id, mediaTicks]));
}

function getHeader(tracks: readonly Track[], fragments: ReadonlyMap<number, FragmentSpan>): MovieHeader {
  const timed = tracks
    .map((track) => timedTrack(track, fragments.get(track.id)))
    .filter(({ firstSeconds, endSeconds }) => endSeconds > firstSeconds);
  const clocks = placeTracks(timed);
  for (const [at, { endSeconds }] of timed.entries()) assertBoundedDecoding(clocks[at] ?? [], endSeconds);
  const ends = timed.map(({ endSeconds }, at) => endOfClock(clocks[at] ?? [], endSeconds));
  const picture = tracks.find(({ shape }) => shape && shape.width > 0);
  const share = picture ? playedShare(picture, timed, clocks) : 1;
  const sampleCount = picture ? picture.sampleCount + (fragments.get(picture.id)?.samples ?? 0) : 0;
  const { width = 0, height = 0 } = picture?.shape ?? {};
  return {
    ...(picture?.isOnSide ? { width: height, height: width } : { width, height }),
    shapes: new Map(tracks.flatMap(({ id, shape }) => (shape ? [[id, shape]] : []))),
    durationSeconds: toMicroseconds(Math.max(0, ...ends)),
    frameCount: Math.round(sampleCount * share),
    isFrameCountExact: share === 1,
    hasAudio: tracks.some(({ kind }) => kind === 'soun'),
  };
}

/** Returns the share of a track's media that its edit list shows. */
function playedShare({ id }: Track, timed: readonly TimedTrack[], clocks: readonly TrackClock[]): number {
  const at = timed.findIndex((track) => track.id === id);
  const track = timed[at];
  if (!track) return 1;
  const { firstSeconds, endSeconds } = track;
  const share = playedSeconds(clocks[at] ?? [], endSeconds) / (endSeconds - Math.max(0, firstSeconds));
  return share > WHOLE_SHARE ? Math.max(1, share) : share;
}

function timedTrack(track: Track, fragments: FragmentSpan | undefined): TimedTrack {
  const { mediaTicks, firstOffset, timescale } = track;
  const hasOwn = mediaTicks > 0;
  const first = hasOwn ? firstOffset : (fragments?.firstTicks ?? 0);
  const end = Math.max(hasOwn ? mediaTicks + firstOffset : 0, fragments?.endTicks ?? 0);
  return { ...track, firstSeconds: first / timescale, endSeconds: end / timescale };
}

/** Removes errors of rounding from sums of fractions. */
function toMicroseconds(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e6;
}

/**
 * Reads a track.
 * @returns null for tracks that are neither video nor audio
 */
async function readTrack(
  reader: BoxReader,
  trak: Box,
  { movie, isFragmented }: { readonly movie: number; readonly isFragmented: boolean },
): Promise<Track | null> {
  const inTrak = await reader.boxes(trak);
  const inMdia = await reader.boxes(requiredBox(inTrak, 'mdia'));
  const handler = await reader.view(requiredBox(inMdia, 'hdlr'), 12);
  const kind = readFourCc(handler, 8);
  if (kind !== 'vide' && kind !== 'soun') return null;
  const inStbl = await reader.path(requiredBox(inMdia, 'minf'), 'stbl');
  const stsd = inStbl.find(({ type }) => type === 'stsd');
  const stsz = inStbl.find(({ type }) => type === 'stsz' || type === 'stz2');
  const { shownTicks, ...header } = await readTrackHeader(reader, requiredBox(inTrak, 'tkhd'));
  const mdhd = requiredBox(inMdia, 'mdhd');
  const timescale = await readTimescale(reader, mdhd);
  const sampleCount = stsz ? (await reader.view(stsz, 12)).getUint32(8) : 0;
  const statedTicks = await readMediaTicks(reader, mdhd);
  const scales = { movie, media: timescale, wholeTicks: statedTicks, isFragmented };
  return {
    kind,
    ...header,
    shape: kind === 'vide' && stsd ? await readIsoShape(reader, stsd) : null,
    timescale,
    mediaTicks: sampleCount === 0 ? 0 : statedTicks || (shownTicks / movie) * timescale,
    firstOffset: await readFirstOffset(reader, inStbl),
    sampleCount,
    edits: (await readEdits(reader, inTrak, scales))?.clock ?? null,
  };
}

/** Reads the composition offset of the first sample: `ctts` of ISO 14496-12, 8.6.1.3. */
async function readFirstOffset(reader: BoxReader, inStbl: readonly Box[]): Promise<number> {
  const ctts = inStbl.find(({ type }) => type === 'ctts');
  if (!ctts || (await reader.view(ctts, 8)).getUint32(4) === 0) return 0;
  // QuickTime writes negative offsets in version 0, too.
  return (await reader.view(ctts, 16)).getInt32(12);
}

/** Reads `tkhd`: whether its matrix turns the picture by a quarter, and the shown duration. */
async function readTrackHeader(
  reader: BoxReader,
  tkhd: Box,
): Promise<Pick<Track, 'id' | 'isOnSide'> & { shownTicks: number }> {
  const isLong = (await reader.view(tkhd, 4)).getUint8(0) === 1;
  const view = await reader.view(tkhd, isLong ? 96 : 84);
  const matrix = isLong ? 52 : 40;
  const isOnSide = view.getInt32(matrix) === 0 && view.getInt32(matrix + 4) !== 0;
  const shownTicks = knownTicks(await reader.number(tkhd, 20, 28, true));
  return { id: await readTrackId(reader, tkhd), isOnSide, shownTicks };
}
