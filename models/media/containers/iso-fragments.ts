import { type Box, type BoxReader, damagedMovie, requiredBox } from './box-reader.ts';

/** Samples of a track that are in fragments, with times in ticks of the track. */
export interface FragmentSpan {
  readonly firstTicks: number;
  readonly endTicks: number;
  readonly samples: number;
}

/** Run of samples in a fragment. */
interface SampleRun {
  readonly ticks: number;
  readonly samples: number;
  /** Difference between the first sample's time and its place in decoding order. */
  readonly firstOffset: number;
}

/** Limit on the samples of one run of a fragment. */
const SAMPLES_MAX = 100_000;

/**
 * Reads the times of all fragments (ISO 14496-12, 8.8), by track.
 * @param starts ticks at which the fragments of a track begin where they do not state it
 */
export async function readFragments(
  reader: BoxReader,
  top: readonly Box[],
  inMoov: readonly Box[],
  starts: ReadonlyMap<number, number>,
): Promise<ReadonlyMap<number, FragmentSpan>> {
  const spans = new Map<number, FragmentSpan>();
  const mvex = inMoov.find(({ type }) => type === 'mvex');
  if (!mvex) return spans;
  const lasting = new Map<number, number>();
  for (const trex of (await reader.boxes(mvex)).filter(({ type }) => type === 'trex')) {
    const view = await reader.view(trex, 16);
    lasting.set(view.getUint32(4), view.getUint32(12));
  }
  for (const moof of top.filter(({ type }) => type === 'moof')) {
    for (const traf of (await reader.boxes(moof)).filter(({ type }) => type === 'traf')) {
      await addFragment(reader, await reader.boxes(traf), { lasting, starts, spans });
    }
  }
  return spans;
}

interface FragmentState {
  /** Usual duration of a sample, by track. */
  readonly lasting: ReadonlyMap<number, number>;
  readonly starts: ReadonlyMap<number, number>;
  readonly spans: Map<number, FragmentSpan>;
}

async function addFragment(
  reader: BoxReader,
  inTraf: readonly Box[],
  { lasting, starts, spans }: FragmentState,
): Promise<void> {
  const tfhd = requiredBox(inTraf, 'tfhd');
  const head = await reader.view(tfhd, 8);
  const flags = head.getUint32(0);
  const id = head.getUint32(4);
  // The default duration follows the base data offset and the sample description index, where present.
  const at = 8 + (flags & 1 ? 8 : 0) + (flags & 2 ? 4 : 0);
  const usual = flags & 8 ? (await reader.view(tfhd, at + 4)).getUint32(at) : (lasting.get(id) ?? 0);
  const before = spans.get(id);
  const start = (await readDecodeTime(reader, inTraf)) ?? before?.endTicks ?? starts.get(id) ?? 0;
  let [end, samples, firstOffset]: [number, number, number | null] = [start, 0, null];
  for (const trun of inTraf.filter(({ type }) => type === 'trun')) {
    const run = await readRun(reader, trun, usual);
    end += run.ticks;
    samples += run.samples;
    firstOffset ??= run.firstOffset;
  }
  if (samples === 0) return;
  spans.set(id, {
    firstTicks: Math.min(before?.firstTicks ?? Number.POSITIVE_INFINITY, start + (firstOffset ?? 0)),
    endTicks: Math.max(before?.endTicks ?? 0, end + (firstOffset ?? 0)),
    samples: samples + (before?.samples ?? 0),
  });
}

/** Reads `tfdt`, the place of a fragment in decoding order; null where there is none. */
async function readDecodeTime(reader: BoxReader, inTraf: readonly Box[]): Promise<number | null> {
  const tfdt = inTraf.find(({ type }) => type === 'tfdt');
  return tfdt ? reader.number(tfdt, 4, 4, true) : null;
}

async function readRun(reader: BoxReader, trun: Box, usual: number): Promise<SampleRun> {
  const head = await reader.view(trun, 8);
  const flags = head.getUint32(0);
  const samples = head.getUint32(4);
  if (samples > SAMPLES_MAX) throw damagedMovie('a fragment has too many samples');
  const start = 8 + (flags & 1 ? 4 : 0) + (flags & 4 ? 4 : 0);
  const step = [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length * 4;
  const hasDurations = (flags & 0x100) !== 0;
  const count = hasDurations ? samples : Math.min(1, samples);
  const view = await reader.view(trun, start + count * step);
  const firstOffset = flags & 0x800 && samples > 0 ? view.getInt32(start + step - 4) : 0;
  if (!hasDurations) return { ticks: samples * usual, samples, firstOffset };
  let ticks = 0;
  for (let sample = 0; sample < samples; sample++) ticks += view.getUint32(start + sample * step);
  return { ticks, samples, firstOffset };
}
