import type { BatchItem } from '../runs/batch.ts';

/** Key and tempo of a song, as a run found them. */
interface SongFacts {
  readonly tempoBpm: number | null;
  readonly key: string | null;
}

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
export function getSongFacts({ state }: BatchItem): SongFacts {
  const { tempo_bpm: tempo, key } = (state.phase === 'done' && state.result.details) || {};
  return { tempoBpm: typeof tempo === 'number' ? tempo : null, key: typeof key === 'string' ? key : null };
}

/** Words the facts: `120 bpm`, `A minor`. */
export function describeSong({ tempoBpm, key }: SongFacts): readonly string[] {
  return [...(tempoBpm === null ? [] : [`${tempoBpm} bpm`]), ...(key === null ? [] : [key])];
}

/** Returns the facts as the beginning of a file's name, as musicians write them: `120bpm-Am-`. */
export function songPrefix({ tempoBpm, key }: SongFacts): string {
  const short = key?.replace('♭', 'b').replace('♯', '#').replace(' minor', 'm').replace(' major', '');
  const parts = [...(tempoBpm === null ? [] : [`${tempoBpm}bpm`]), ...(short ? [short] : [])];
  return parts.map((part) => `${part}-`).join('');
}

/** Returns the length of bars in seconds. */
export function barSeconds(tempoBpm: number, bars: number): number {
  return (bars * BEATS * 60) / tempoBpm;
}
