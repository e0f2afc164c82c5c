import type { BatchItem } from '../runs/batch.ts';

/** Key and tempo of a song, as a run found them. */
export interface SongFacts {
  readonly tempoBpm: number | null;
  readonly key: string | null;
}

/** Reads what a run found of a song; nulls before there is a result. */
export function songFactsOf({ state }: BatchItem): SongFacts {
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

/** Beats of a bar: nearly all popular music has four. */
export const BEATS = 4;

/** Returns the length of bars in seconds. */
export function barSeconds(tempoBpm: number, bars: number): number {
  return (bars * BEATS * 60) / tempoBpm;
}
