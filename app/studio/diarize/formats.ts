import type { FormatWords } from '../form/format-words.ts';
import type { Format } from './exports.ts';

export const FORMATS: Readonly<Record<Format, FormatWords>> = {
  srt: { name: 'SRT', means: 'Subtitles with the name of each speaker.' },
  json: { name: 'JSON', means: 'As the API returns it: speakers are numbered by their first turn.' },
  rttm: { name: 'RTTM', means: 'For tools that score or align speech.' },
  csv: { name: 'CSV', means: 'A table: start, end and length in seconds, and the name.' },
};
