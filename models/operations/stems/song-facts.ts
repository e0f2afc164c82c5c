import type { RunResult } from '../../core/operation/run-result.ts';

/** Key and tempo of a song, as a run found them; null where the song has none. */
export interface SongFacts {
  /** In beats a minute. */
  readonly tempoBpm: number | null;
  /** As musicians say it: `A minor`. */
  readonly key: string | null;
}

/** Reads the facts from the details of a result; nulls where they are missing. */
export function readSongFacts({ tempo_bpm: tempo, key }: NonNullable<RunResult['details']>): SongFacts {
  return { tempoBpm: typeof tempo === 'number' ? tempo : null, key: typeof key === 'string' ? key : null };
}

/** Words the facts: `120 bpm`, `A minor`. */
export function describeSong({ tempoBpm, key }: SongFacts): readonly string[] {
  return [...(tempoBpm === null ? [] : [`${tempoBpm} bpm`]), ...(key === null ? [] : [key])];
}

/** Returns the facts as the end of a song's name, as musicians write them: `-120bpm-Am`. */
export function songSuffix({ tempoBpm, key }: SongFacts): string {
  const short = key?.replace('♭', 'b').replace('♯', '#').replace(' minor', 'm').replace(' major', '');
  const parts = [...(tempoBpm === null ? [] : [`${tempoBpm}bpm`]), ...(short ? [short] : [])];
  return parts.map((part) => `-${part}`).join('');
}
