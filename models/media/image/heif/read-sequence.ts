import type { Bytes } from '../../bytes/byte-writer.ts';
import { readFourCc } from '../../bytes/text.ts';
import { type Box, damagedHeif, findBox, readBoxes } from './read-meta.ts';

/** Coded frame of a sequence. */
export interface SequenceSample {
  readonly data: Bytes;
  readonly durationMs: number;
}

/** Track of an image sequence. */
export interface SequenceTrack {
  readonly id: number;
  /** Sample entry: `av01`, `hvc1`, ... */
  readonly coding: string;
  /** Whether it holds the opacity of another track. */
  readonly isAuxiliary: boolean;
  readonly width: number;
  readonly height: number;
  /** Bodies of the boxes of its sample entry by type, such as `av1C`. */
  readonly properties: ReadonlyMap<string, Bytes>;
  /** Bodies of its `colr` boxes: it may state both a profile and code points. */
  readonly colours: readonly Bytes[];
  /** Frames in decoding order. */
  readonly samples: readonly SequenceSample[];
}

/** Image sequence of AVIF or HEIF: ISO 23008-12, 7. */
export interface HeifSequence {
  readonly main: SequenceTrack;
  readonly alpha: SequenceTrack | undefined;
  /** Whether the colours are multiplied by alpha. */
  readonly isPremultiplied: boolean;
  /** Number of times that it plays; 0 is endless. */
  readonly loopCount: number;
}

const TRACKS_MAX = 16;
const SAMPLES_MAX = 100_000;
/** Bytes of a visual sample entry before its boxes: ISO 14496-12, 12.1.3. */
const VISUAL_ENTRY_BYTES = 78;
/** Handlers of tracks of images and of auxiliary images. */
const MAIN_HANDLERS: ReadonlySet<string> = new Set(['pict', 'vide']);
const AUXILIARY_HANDLER = 'auxv';
/** Flag of an edit list that repeats: ISO 23008-12, 9.6.1. */
const REPEATS = 1;

/**
 * Reads the image sequence of a file.
 * @returns null when the file holds still images only
 * @throws OperationError `bad_request` when its boxes are inconsistent
 */
export function readHeifSequence(file: Bytes): HeifSequence | null {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const moov = findBox(readBoxes(view, 0, file.length), 'moov');
  if (!moov) return null;
  try {
    const traks = readBoxes(view, moov.start, moov.end).filter(({ type }) => type === 'trak');
    const tracks = traks.slice(0, TRACKS_MAX).flatMap((trak) => {
      const track = readTrack(file, view, trak);
      return track ? [{ track, trak }] : [];
    });
    const main = tracks.find(({ track }) => !track.isAuxiliary);
    if (!main || main.track.samples.length === 0) return null;
    const alpha = tracks.find(({ track }) => track.isAuxiliary && track.samples.length > 0);
    return {
      main: main.track,
      alpha: alpha?.track,
      isPremultiplied: alpha !== undefined && refersByPrem(view, main.trak),
      loopCount: readLoopCount(view, main.trak),
    };
  } catch (error) {
    throw error instanceof RangeError ? damagedHeif() : error;
  }
}

function readTrack(file: Bytes, view: DataView, trak: Box): SequenceTrack | null {
  const inMdia = getChildren(view, required(getChildren(view, trak), 'mdia'));
  const handler = readFourCc(view, required(inMdia, 'hdlr').start + 8);
  const isAuxiliary = handler === AUXILIARY_HANDLER;
  if (!isAuxiliary && !MAIN_HANDLERS.has(handler)) return null;
  const inStbl = getChildren(view, required(getChildren(view, required(inMdia, 'minf')), 'stbl'));
  const stsd = required(inStbl, 'stsd');
  const [entry] = readBoxes(view, stsd.start + 8, stsd.end);
  if (!entry) return null;
  const properties = readBoxes(view, entry.start + VISUAL_ENTRY_BYTES, entry.end).map(
    ({ type, start, end }) => [type, file.subarray(start, end)] as const,
  );
  const tkhd = required(getChildren(view, trak), 'tkhd');
  return {
    id: view.getUint32(tkhd.start + (view.getUint8(tkhd.start) === 1 ? 20 : 12)),
    coding: entry.type,
    isAuxiliary,
    width: view.getUint16(entry.start + 24),
    height: view.getUint16(entry.start + 26),
    properties: new Map(properties),
    colours: properties.filter(([type]) => type === 'colr').map(([, body]) => body),
    samples: readSamples(file, view, inStbl, readTimescale(view, required(inMdia, 'mdhd'))),
  };
}

function readTimescale(view: DataView, mdhd: Box): number {
  return view.getUint32(mdhd.start + (view.getUint8(mdhd.start) === 1 ? 20 : 12)) || 1;
}

/** Reads stsz, stsc, stco or co64, and stts: ISO 14496-12, 8.6.1.2 and 8.7. */
function readSamples(
  file: Bytes,
  view: DataView,
  inStbl: readonly Box[],
  timescale: number,
): SequenceSample[] {
  const sizes = readSizes(view, required(inStbl, 'stsz'));
  const offsets = chunkOffsets(view, inStbl);
  const runs = readRows(view, required(inStbl, 'stsc'), 3);
  const durations = expandDurations(readRows(view, required(inStbl, 'stts'), 2), sizes.length);
  const samples: SequenceSample[] = [];
  let run = 0;
  offsets.forEach((offset, chunk) => {
    while (run + 1 < runs.length && (runs[run + 1]?.[0] ?? 0) <= chunk + 1) run++;
    const perChunk = runs[run]?.[1] ?? 0;
    let at = offset;
    for (let left = perChunk; left > 0 && samples.length < sizes.length; left--) {
      const size = sizes[samples.length] ?? 0;
      if (at + size > file.length) throw damagedHeif();
      const durationMs = (1000 * (durations[samples.length] ?? 0)) / timescale;
      samples.push({ data: file.subarray(at, at + size), durationMs });
      at += size;
    }
  });
  return samples;
}

function readSizes(view: DataView, stsz: Box): number[] {
  const common = view.getUint32(stsz.start + 4);
  const count = view.getUint32(stsz.start + 8);
  if (count > SAMPLES_MAX) throw damagedHeif();
  return Array.from({ length: count }, (_, at) => common || view.getUint32(stsz.start + 12 + at * 4));
}

function chunkOffsets(view: DataView, inStbl: readonly Box[]): number[] {
  const long = findBox(inStbl, 'co64');
  if (!long) return readRows(view, required(inStbl, 'stco'), 1).flat();
  return readRows(view, long, 2).map(([high = 0, low = 0]) => high * 2 ** 32 + low);
}

/** Reads a table of 32-bit numbers after version, flags and a count of rows. */
function readRows(view: DataView, { start, end }: Box, columns: number): number[][] {
  const count = view.getUint32(start + 4);
  if (count > SAMPLES_MAX || start + 8 + count * columns * 4 > end) throw damagedHeif();
  return Array.from({ length: count }, (_, row) =>
    Array.from({ length: columns }, (__, column) => view.getUint32(start + 8 + (row * columns + column) * 4)),
  );
}

function expandDurations(rows: readonly (readonly number[])[], count: number): number[] {
  const durations: number[] = [];
  for (const [repeats = 0, duration = 0] of rows) {
    for (let left = Math.min(repeats, count - durations.length); left > 0; left--) durations.push(duration);
  }
  return durations;
}

/**
 * Reads how often a track plays: its whole duration divided by that of its one edit, if the edit list repeats. Without
 * an edit list it plays on, as in browsers.
 */
function readLoopCount(view: DataView, trak: Box): number {
  const inTrak = getChildren(view, trak);
  const edts = findBox(inTrak, 'edts');
  const elst = edts && findBox(getChildren(view, edts), 'elst');
  if (!elst) return 0;
  if ((view.getUint32(elst.start) & REPEATS) === 0) return 1;
  const isLongEdit = view.getUint8(elst.start) === 1;
  const segment = isLongEdit ? Number(view.getBigUint64(elst.start + 8)) : view.getUint32(elst.start + 8);
  const tkhd = required(inTrak, 'tkhd');
  const isLong = view.getUint8(tkhd.start) === 1;
  const duration = isLong ? view.getBigUint64(tkhd.start + 28) : BigInt(view.getUint32(tkhd.start + 20));
  const isEndless = duration === (isLong ? 0xffff_ffff_ffff_ffffn : 0xffff_ffffn);
  return isEndless || segment === 0 ? 0 : Math.max(1, Math.ceil(Number(duration) / segment));
}

/** Reports a reference `prem` of a track to its alpha: ISO 23008-12, 7.4. */
function refersByPrem(view: DataView, trak: Box): boolean {
  const tref = findBox(getChildren(view, trak), 'tref');
  return tref !== undefined && findBox(getChildren(view, tref), 'prem') !== undefined;
}

function getChildren(view: DataView, { start, end }: Box): Box[] {
  return readBoxes(view, start, end);
}

function required(boxes: readonly Box[], type: string): Box {
  const box = findBox(boxes, type);
  if (!box) throw damagedHeif();
  return box;
}
