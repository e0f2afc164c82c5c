import { csvRow } from '../../../models/core/operation/csv.ts';
import type { OutputFile } from '../../../models/core/operation/run-result.ts';
import type { Segment } from '../../../models/operations/diarize/segment.ts';
import type { FormatWords } from '../tools/wording.ts';
import { applyMoves, getName, type SpeakerEdits, type Timeline } from './timeline.ts';

export const FORMATS: Readonly<Record<Format, FormatWords>> = {
  srt: { name: 'SRT', means: 'Subtitles with the name of each speaker.' },
  json: { name: 'JSON', means: 'As the API returns it: speakers are numbered by their first turn.' },
  rttm: { name: 'RTTM', means: 'For tools that score or align speech.' },
  csv: { name: 'CSV', means: 'A table: start, end and length in seconds, and the name.' },
};

export type Format = 'srt' | 'json' | 'rttm' | 'csv';

const TYPES: Readonly<Record<Format, string>> = {
  srt: 'application/x-subrip',
  json: 'application/json',
  rttm: 'text/plain',
  csv: 'text/csv',
};

/**
 * Writes a timeline with its edits.
 * @param recording name of the recording, without its extension
 */
export function exportAs(
  format: Format,
  timeline: Timeline,
  edits: SpeakerEdits,
  recording: string,
): OutputFile {
  const segments = applyMoves(timeline, edits);
  const nameAs = ({ speaker }: Segment) => getName(speaker, edits);
  const text = { srt, json, rttm, csv }[format](segments, nameAs, recording);
  return {
    name: `output.${format}`,
    mediaType: TYPES[format],
    blob: new Blob([text], { type: TYPES[format] }),
  };
}

type NameAs = (segment: Segment) => string;

function json(segments: readonly Segment[]): string {
  const order = [...new Set(segments.map(({ speaker }) => speaker))];
  const numbered = segments.map((each) => ({ ...each, speaker: order.indexOf(each.speaker) }));
  return `${JSON.stringify({ ok: true, speakers: order.length || null, segments: numbered }, null, 2)}\n`;
}

function srt(segments: readonly Segment[], nameAs: NameAs): string {
  return segments
    .map((each, at) => `${at + 1}\n${timecode(each.start)} --> ${timecode(each.end)}\n${nameAs(each)}\n\n`)
    .join('');
}

/** `01:02:03,004` */
function timecode(seconds: number): string {
  const whole = Math.round(seconds * 1000);
  const two = (number: number) => String(Math.floor(number)).padStart(2, '0');
  const [hours, minutes, rest] = [whole / 3_600_000, (whole / 60_000) % 60, (whole / 1000) % 60];
  return `${two(hours)}:${two(minutes)}:${two(rest)},${String(whole % 1000).padStart(3, '0')}`;
}

/** Fields of RTTM are divided by spaces, so names and recordings have none. */
function rttm(segments: readonly Segment[], nameAs: NameAs, recording: string): string {
  const word = (text: string) => text.replaceAll(/\s+/g, '_') || '_';
  return segments
    .map((each) => {
      const times = `${each.start.toFixed(3)} ${(each.end - each.start).toFixed(3)}`;
      return `SPEAKER ${word(recording)} 1 ${times} <NA> <NA> ${word(nameAs(each))} <NA> <NA>\n`;
    })
    .join('');
}

function csv(segments: readonly Segment[], nameAs: NameAs): string {
  const rows = segments.map((each) => [
    ...[each.start, each.end, each.end - each.start].map((time) => time.toFixed(3)),
    nameAs(each),
  ]);
  return [['start', 'end', 'seconds', 'speaker'], ...rows].map(csvRow).join('');
}
