import { readSongFacts, type SongFacts } from '../../../models/operations/stems/song-facts.ts';
import type { BatchItem } from '../runs/batch.ts';

/** Beats of a bar: nearly all popular music has four. */
export const BEATS = 4;

/** A stem of a result. */
export interface Stem {
  /** As its file is named: `no_vocals`. */
  readonly id: string;
  readonly name: string;
  /** Number of the colour of its lane. */
  readonly lane: number;
  readonly mediaType: string;
  readonly blob: Blob;
}

const NAMES: Readonly<Record<string, readonly [name: string, lane: number]>> = {
  vocals: ['Vocals', 1],
  drums: ['Drums', 2],
  bass: ['Bass', 3],
  other: ['Other', 4],
  no_vocals: ['No vocals', 5],
};

const read = new WeakMap<object, readonly Stem[]>();

/** Lists the stems of a result; none before there is one. The same array for the same result. */
export function getStems({ state }: BatchItem): readonly Stem[] {
  if (state.phase !== 'done') return NONE;
  const { files } = state.result;
  const known = read.get(files);
  if (known) return known;
  const stems = files.map(({ name, mediaType, blob }): Stem => {
    const id = name.replace(/\.[^.]+$/, '');
    const [title, lane] = NAMES[id] ?? [id, 6];
    return { id, name: title, lane, mediaType, blob };
  });
  read.set(files, stems);
  return stems;
}

const NONE: readonly Stem[] = [];

/** Reads what a run found of a song; nulls before there is a result. */
export function getSongFacts({ state }: Pick<BatchItem, 'state'>): SongFacts {
  return readSongFacts((state.phase === 'done' && state.result.details) || {});
}

/** Returns the length of bars in seconds. */
export function barSeconds(tempoBpm: number, bars: number): number {
  return (bars * BEATS * 60) / tempoBpm;
}
