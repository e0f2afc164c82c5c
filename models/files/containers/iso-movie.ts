import { OperationError } from '../../operation/errors.ts';
import type { ByteWindow } from '../bytes/byte-window.ts';
import { fourCc } from '../heif/read-boxes.ts';
import { type MovieHeader, TRACKS_MAX } from './movie-header.ts';

/** A box of ISO 14496-12, 4.2: `start` and `end` enclose its body. */
interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

interface Track {
  readonly id: number;
  readonly kind: string;
  readonly width: number;
  readonly height: number;
  readonly timescale: number;
  readonly durationSeconds: number;
  readonly sampleCount: number;
}

/** Totals that the fragments add to a track. */
interface Fragments {
  units: number;
  samples: number;
}

const BOXES_MAX = 100_000;
/** Limit on the samples of one run of a fragment. */
const SAMPLES_MAX = 100_000;

/**
 * Reads the `moov` box of an MP4 or MOV file, and the headers of its fragments, if any.
 * @throws OperationError `bad_request` when boxes are missing or inconsistent
 */
export async function readIsoMovie(bytes: ByteWindow): Promise<MovieHeader> {
  const reader = new BoxReader(bytes);
  const top = await reader.boxes({ type: '', start: 0, end: bytes.size });
  const moov = top.find(({ type }) => type === 'moov');
  if (!moov) throw damaged('it has no header (moov)');
  const inMoov = await reader.boxes(moov);
  const movieTimescale = await readTimescale(reader, required(inMoov, 'mvhd'));
  const traks = inMoov.filter(({ type }) => type === 'trak');
  if (traks.length > TRACKS_MAX) throw damaged('it has too many tracks');
  const tracks: Track[] = [];
  for (const trak of traks) {
    const track = await readTrack(reader, trak, movieTimescale);
    if (track) tracks.push(track);
  }
  const fragments = await readFragments(reader, top, inMoov);
  const secondsOf = ({ id, timescale, durationSeconds }: Track) =>
    durationSeconds + (fragments.get(id)?.units ?? 0) / timescale;
  const picture = tracks.find(({ kind, width }) => kind === 'vide' && width > 0);
  return {
    width: picture?.width ?? 0,
    height: picture?.height ?? 0,
    durationSeconds: Math.max(0, ...tracks.map(secondsOf)),
    frameCount: picture ? picture.sampleCount + (fragments.get(picture.id)?.samples ?? 0) : 0,
    isFrameCountExact: true,
    hasAudio: tracks.some(({ kind }) => kind === 'soun'),
  };
}

/**
 * Reads a track.
 * @returns null for tracks that are neither video nor audio
 */
async function readTrack(reader: BoxReader, trak: Box, movieTimescale: number): Promise<Track | null> {
  const inTrak = await reader.boxes(trak);
  const inMdia = await reader.boxes(required(inTrak, 'mdia'));
  const handler = await reader.view(required(inMdia, 'hdlr'), 12);
  const kind = fourCc(handler, 8);
  if (kind !== 'vide' && kind !== 'soun') return null;
  const inStbl = await reader.path(required(inMdia, 'minf'), 'stbl');
  const stsz = inStbl.find(({ type }) => type === 'stsz' || type === 'stz2');
  const { duration, ...header } = await readTrackHeader(reader, required(inTrak, 'tkhd'));
  return {
    kind,
    ...header,
    timescale: await readTimescale(reader, required(inMdia, 'mdhd')),
    durationSeconds: duration / movieTimescale,
    sampleCount: stsz ? (await reader.view(stsz, 12)).getUint32(8) : 0,
  };
}

/** Reads the units per second of `mvhd` or `mdhd`. */
async function readTimescale(reader: BoxReader, header: Box): Promise<number> {
  const isLong = (await reader.view(header, 4)).getUint8(0) === 1;
  const timescale = (await reader.view(header, isLong ? 24 : 16)).getUint32(isLong ? 20 : 12);
  if (timescale === 0) throw damaged('its timescale is 0');
  return timescale;
}

/** Reads `tkhd`. Its size is in square pixels, before its matrix rotates it; its duration is the shown duration. */
async function readTrackHeader(
  reader: BoxReader,
  tkhd: Box,
): Promise<Pick<Track, 'id' | 'width' | 'height'> & { duration: number }> {
  const isLong = (await reader.view(tkhd, 4)).getUint8(0) === 1;
  const view = await reader.view(tkhd, isLong ? 96 : 84);
  const matrix = isLong ? 52 : 40;
  const size = [view.getUint32(matrix + 36), view.getUint32(matrix + 40)].map((side) =>
    Math.round(side / 65_536),
  );
  const isOnSide = view.getInt32(matrix) === 0 && view.getInt32(matrix + 4) !== 0;
  const [width = 0, height = 0] = isOnSide ? size.toReversed() : size;
  const duration = isLong ? Number(view.getBigUint64(28)) : view.getUint32(20);
  // All ones means unknown.
  const isKnown = isLong ? duration < 2 ** 60 : duration < 0xffffffff;
  return { id: view.getUint32(isLong ? 20 : 12), width, height, duration: isKnown ? duration : 0 };
}

/** Sums the runs of all fragments (ISO 14496-12, 8.8), by track. */
async function readFragments(
  reader: BoxReader,
  top: readonly Box[],
  inMoov: readonly Box[],
): Promise<Map<number, Fragments>> {
  const sums = new Map<number, Fragments>();
  const mvex = inMoov.find(({ type }) => type === 'mvex');
  if (!mvex) return sums;
  const lasting = new Map<number, number>();
  for (const trex of (await reader.boxes(mvex)).filter(({ type }) => type === 'trex')) {
    const view = await reader.view(trex, 16);
    lasting.set(view.getUint32(4), view.getUint32(12));
  }
  for (const moof of top.filter(({ type }) => type === 'moof')) {
    for (const traf of (await reader.boxes(moof)).filter(({ type }) => type === 'traf')) {
      await addFragment(reader, await reader.boxes(traf), lasting, sums);
    }
  }
  return sums;
}

async function addFragment(
  reader: BoxReader,
  inTraf: readonly Box[],
  lasting: ReadonlyMap<number, number>,
  sums: Map<number, Fragments>,
): Promise<void> {
  const tfhd = required(inTraf, 'tfhd');
  const head = await reader.view(tfhd, 8);
  const flags = head.getUint32(0);
  const id = head.getUint32(4);
  // The default duration follows the base data offset and the sample description index, where present.
  const at = 8 + (flags & 1 ? 8 : 0) + (flags & 2 ? 4 : 0);
  const usual = flags & 8 ? (await reader.view(tfhd, at + 4)).getUint32(at) : (lasting.get(id) ?? 0);
  const sum = sums.get(id) ?? { units: 0, samples: 0 };
  for (const trun of inTraf.filter(({ type }) => type === 'trun')) {
    const run = await readRun(reader, trun, usual);
    sum.units += run.units;
    sum.samples += run.samples;
  }
  sums.set(id, sum);
}

async function readRun(reader: BoxReader, trun: Box, usual: number): Promise<Fragments> {
  const head = await reader.view(trun, 8);
  const flags = head.getUint32(0);
  const samples = head.getUint32(4);
  if (samples > SAMPLES_MAX) throw damaged('a fragment has too many samples');
  if (!(flags & 0x100)) return { units: samples * usual, samples };
  const start = 8 + (flags & 1 ? 4 : 0) + (flags & 4 ? 4 : 0);
  const step = [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length * 4;
  const view = await reader.view(trun, start + samples * step);
  let units = 0;
  for (let sample = 0; sample < samples; sample++) units += view.getUint32(start + sample * step);
  return { units, samples };
}

class BoxReader {
  readonly #bytes: ByteWindow;
  #count = 0;

  constructor(bytes: ByteWindow) {
    this.#bytes = bytes;
  }

  /**
   * Iterates over the boxes within another; with `start` 0, over those of the file, whose last box may be truncated.
   */
  async boxes({ start, end }: Box): Promise<Box[]> {
    const boxes: Box[] = [];
    for (let at = start; at + 8 <= end; ) {
      if (++this.#count > BOXES_MAX) throw damaged('it has too many boxes');
      const head = await this.#bytes.read(at, 8);
      const size32 = head.getUint32(0);
      const isLong = size32 === 1;
      const size = isLong ? Number((await this.#bytes.read(at + 8, 8)).getBigUint64(0)) : size32 || end - at;
      const headBytes = isLong ? 16 : 8;
      if (size < headBytes) throw damaged('its boxes are inconsistent');
      const type = fourCc(head, 4);
      if (at + size > end && (start > 0 || type === 'moov')) throw damaged('its header is truncated');
      boxes.push({ type, start: at + headBytes, end: Math.min(end, at + size) });
      at += size;
    }
    return boxes;
  }

  /** Iterates over the boxes within the child box of a given type. */
  async path(box: Box, type: string): Promise<Box[]> {
    return this.boxes(required(await this.boxes(box), type));
  }

  /** Reads the first bytes of a box's body. */
  async view({ start, end }: Box, length: number): Promise<DataView> {
    if (start + length > end) throw damaged('its boxes are inconsistent');
    return this.#bytes.read(start, length);
  }
}

function required(boxes: readonly Box[], wanted: string): Box {
  const box = boxes.find(({ type }) => type === wanted);
  if (!box) throw damaged(`it has no ${wanted} box`);
  return box;
}

function damaged(fault: string): OperationError {
  return new OperationError('bad_request', `The video is damaged: ${fault}. Send the whole file.`, {
    kind: 'damaged',
  });
}
