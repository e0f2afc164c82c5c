import { expect, it } from 'vitest';
import { describeSong, readSongFacts, songSuffix } from '../../../../models/operations/stems/song-facts.ts';

it('ends the name of a song with tempo and key, as musicians write them', () => {
  expect(songSuffix(readSongFacts({ tempo_bpm: 120, key: 'A minor' }))).toBe('-120bpm-Am');
  expect(songSuffix(readSongFacts({ tempo_bpm: null, key: 'B♭ major' }))).toBe('-Bb');
  expect(songSuffix(readSongFacts({ tempo_bpm: 98.5, key: 'F♯ minor' }))).toBe('-98.5bpm-F#m');
  expect(songSuffix(readSongFacts({}))).toBe('');
});

it('words them', () => {
  expect(describeSong({ tempoBpm: 120, key: 'A minor' })).toEqual(['120 bpm', 'A minor']);
  expect(describeSong({ tempoBpm: null, key: null })).toEqual([]);
});
