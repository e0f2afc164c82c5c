import type { RunResult } from '../../../models/core/operation/run-result.ts';
import type { BatchItem } from '../runs/batch.ts';

/** Key and tempo of a song, as a run found them. */
interface SongFacts {
  readonly tempoBpm: number | null;
  readonly key: string | null;
}

/** Reads what a run found of a song; nulls before there is a result. */
export function getSongFacts({ state }: Pick<BatchItem, 'state'>): SongFacts {
  return readSongFacts((state.phase === 'done' && state.result.details) || {});
}

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
