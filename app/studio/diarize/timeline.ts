import type { Segment } from '../../../models/operations/diarize/segment.ts';
import { formatClock } from '../../ui/quantities.ts';

/** Number of colours of lanes. From the next speaker on they repeat, with stripes. */
export const COLOUR_COUNT = 6;

/** Filter of the segments. */
export interface SegmentQuery {
  /** Beginning of a time, such as `12:3`, or part of a speaker's name; empty for all. */
  readonly text: string;
  /** Number of a speaker; undefined for all. */
  readonly speaker: number | undefined;
}

export const ALL_SEGMENTS: SegmentQuery = { text: '', speaker: undefined };

/** Edits of one run, with those before them and those that were undone, the nearest last. */
export interface EditHistory {
  readonly now: SpeakerEdits;
  readonly before: readonly SpeakerEdits[];
  readonly undone: readonly SpeakerEdits[];
}

/** Steps that can be undone. */
const STEPS_MAX = 200;

export const emptyHistory = (run: string): EditHistory => ({ now: noEdits(run), before: [], undone: [] });

/** Findings of a run, as its file holds them. */
export interface Timeline {
  /** Sorted by start. Empty where there is no speech. */
  readonly segments: readonly Segment[];
}

const read = new WeakMap<Blob, Promise<Timeline>>();

/** Reads the file of a result, once. */
export function readTimeline(file: Blob): Promise<Timeline> {
  const known = read.get(file);
  if (known) return known;
  const reading = file.text().then((text): Timeline => JSON.parse(text));
  read.set(file, reading);
  // A later attempt may succeed.
  reading.catch(() => read.delete(file));
  return reading;
}

/** Changes to a result that need no new run. */
export interface SpeakerEdits {
  /** Run that they belong to: edits of an earlier result do not fit the next one. */
  readonly run: string;
  /** Names by number of the speaker; a speaker without one is numbered. */
  readonly names: Readonly<Record<number, string>>;
  /** Speaker by place of the segment, where it is another than the run found. */
  readonly moved: Readonly<Record<number, number>>;
}

export const noEdits = (run: string): SpeakerEdits => ({ run, names: {}, moved: {} });

/** A speaker with all turns. */
export interface Speaker {
  readonly id: number;
  readonly name: string;
  readonly segments: readonly Segment[];
  /** Total of the turns, in seconds. */
  readonly seconds: number;
}

/** Applies moves to the segments of a run. The order stays. */
export function applyMoves({ segments }: Timeline, { moved }: SpeakerEdits): readonly Segment[] {
  return segments.map((segment, at) => ({ ...segment, speaker: moved[at] ?? segment.speaker }));
}

export function getName(speaker: number, { names }: SpeakerEdits): string {
  return names[speaker] ?? `Speaker ${speaker + 1}`;
}

/** Lists the speakers by their first turn. */
export function getSpeakers(segments: readonly Segment[], edits: SpeakerEdits): readonly Speaker[] {
  const bySpeaker = new Map<number, Segment[]>();
  for (const segment of segments) {
    const own = bySpeaker.get(segment.speaker) ?? [];
    own.push(segment);
    bySpeaker.set(segment.speaker, own);
  }
  return [...bySpeaker].map(([id, own]) => ({
    id,
    name: getName(id, edits),
    segments: own,
    seconds: own.reduce((sum, { start, end }) => sum + end - start, 0),
  }));
}

/** Names a speaker. An empty name brings back the number. */
export function renameSpeaker(edits: SpeakerEdits, speaker: number, name: string): SpeakerEdits {
  const { [speaker]: _, ...others } = edits.names;
  const plain = name.replaceAll(/\s+/g, ' ').trim();
  return { ...edits, names: plain ? { ...others, [speaker]: plain } : others };
}

/** Names the speakers of a file that have a name so far. */
export function renameByName(
  timeline: Timeline,
  edits: SpeakerEdits,
  from: string,
  name: string,
): SpeakerEdits {
  return getSpeakers(applyMoves(timeline, edits), edits)
    .filter((speaker) => speaker.name === from)
    .reduce((before, { id }) => renameSpeaker(before, id, name), edits);
}

/** Gives all turns of one speaker to another, and the name as well where the other one has none. */
export function mergeSpeakers(
  timeline: Timeline,
  edits: SpeakerEdits,
  from: number,
  into: number,
): SpeakerEdits {
  const places = applyMoves(timeline, edits).flatMap(({ speaker }, at) => (speaker === from ? [at] : []));
  const name = edits.names[into] ?? edits.names[from];
  return withMoves(name === undefined ? edits : renameSpeaker(edits, into, name), places, into);
}

/** Gives one turn to a speaker. */
export function reassignSegment(edits: SpeakerEdits, place: number, speaker: number): SpeakerEdits {
  return withMoves(edits, [place], speaker);
}

/** Reports whether a speaker has turns both before a place and from it on. */
export function canSplit(segments: readonly Segment[], speaker: number, place: number): boolean {
  const own = segments.flatMap((each, at) => (each.speaker === speaker ? [at] : []));
  return own.some((at) => at < place) && own.some((at) => at >= place);
}

/** Splits a speaker: the turns from a place on are those of a new one. */
export function splitSpeaker(
  timeline: Timeline,
  edits: SpeakerEdits,
  speaker: number,
  place: number,
): SpeakerEdits {
  const segments = applyMoves(timeline, edits);
  const places = segments.flatMap((each, at) => (each.speaker === speaker && at >= place ? [at] : []));
  return withMoves(edits, places, nextSpeakerNumber(timeline, edits));
}

/** Returns a number that no speaker has had. */
export function nextSpeakerNumber({ segments }: Timeline, { moved, names }: SpeakerEdits): number {
  const used = [...segments.map(({ speaker }) => speaker), ...Object.values(moved)];
  return Math.max(-1, ...new Set(used), ...Object.keys(names).map(Number)) + 1;
}

function withMoves(edits: SpeakerEdits, places: readonly number[], speaker: number): SpeakerEdits {
  return { ...edits, moved: { ...edits.moved, ...Object.fromEntries(places.map((at) => [at, speaker])) } };
}

/** Finds the last turn that has begun at a time, by its place; -1 before the first. */
export function segmentIndexAt(segments: readonly Segment[], atSeconds: number): number {
  return segments.findLastIndex(({ start }) => start <= atSeconds);
}

/** Returns the length of the time in which anybody speaks, in seconds. @param segments sorted by start */
export function speechSeconds(segments: readonly Segment[]): number {
  let [seconds, until] = [0, 0];
  for (const { start, end } of segments) {
    seconds += Math.max(0, end - Math.max(start, until));
    until = Math.max(until, end);
  }
  return seconds;
}

/** Talk time in whole seconds and percent, as it is shown: the parts add up. */
export interface TalkTimes {
  /** Time in which anybody speaks. */
  readonly speech: number;
  /** Time that counts for each of several who speak at once, beyond the first. */
  readonly overlap: number;
  /** Seconds of each speaker: together `speech` and `overlap`. */
  readonly seconds: readonly number[];
  /** Share of each speaker in all talk time: together 100. */
  readonly percent: readonly number[];
}

/** @param segments sorted by start */
export function getTalkTimes(segments: readonly Segment[], speakers: readonly Speaker[]): TalkTimes {
  const parts = speakers.map(({ seconds }) => seconds);
  const exact = speechSeconds(segments);
  const speech = Math.round(exact);
  const overlap = Math.round(parts.reduce((sum, part) => sum + part, 0) - exact);
  return {
    speech,
    overlap,
    seconds: wholeParts(parts, speech + overlap),
    percent: wholeParts(parts, 100),
  };
}

/** Divides a whole number by parts into whole numbers: the largest remainders are rounded up. */
function wholeParts(parts: readonly number[], total: number): readonly number[] {
  const sum = parts.reduce((all, part) => all + part, 0);
  if (sum === 0) return parts.map(() => 0);
  const exact = parts.map((part) => (part / sum) * total);
  const left = total - exact.reduce((all, each) => all + Math.floor(each), 0);
  const order = exact.map((_, at) => at).toSorted((one, other) => (exact[other] % 1) - (exact[one] % 1));
  const raised = new Set(order.slice(0, left));
  return exact.map((each, at) => Math.floor(each) + (raised.has(at) ? 1 : 0));
}

/** Returns the time at which the last turn ends: of turns that overlap, one that began earlier may end later. */
export function lastTurnEnd(segments: readonly Segment[]): number {
  return segments.reduce((latest, { end }) => Math.max(latest, end), 0);
}

/** Adds a step; the same history where nothing differs. */
export function pushEdit(history: EditHistory, next: SpeakerEdits): EditHistory {
  const { now, before } = history;
  if (JSON.stringify(now) === JSON.stringify(next)) return history;
  return { now: next, before: [...before, now].slice(-STEPS_MAX), undone: [] };
}

/** Goes one step back; the same history where there is none. */
export function undoEdit(history: EditHistory): EditHistory {
  const last = history.before.at(-1);
  if (!last) return history;
  return { now: last, before: history.before.slice(0, -1), undone: [...history.undone, history.now] };
}

/** Takes the last undoing back; the same history where there is none. */
export function redoEdit(history: EditHistory): EditHistory {
  const next = history.undone.at(-1);
  if (!next) return history;
  return { now: next, before: [...history.before, history.now], undone: history.undone.slice(0, -1) };
}

/** Lists the places of the segments that a query finds, in order. */
export function findSegments(
  segments: readonly Segment[],
  speakers: readonly Speaker[],
  { text, speaker: wanted }: SegmentQuery,
): readonly number[] {
  const query = text.trim().toLowerCase();
  const named = new Set(
    speakers.filter(({ name }) => name.toLowerCase().includes(query)).map(({ id }) => id),
  );
  return segments.flatMap(({ speaker, start }, place) => {
    const isOfSpeaker = wanted === undefined || speaker === wanted;
    const isFound = query === '' || named.has(speaker) || formatClock(start).startsWith(query);
    return isOfSpeaker && isFound ? [place] : [];
  });
}

/** Returns the found place after or before another one; undefined at the end. */
export function stepAmong(found: readonly number[], place: number, direction: 1 | -1): number | undefined {
  return direction > 0 ? found.find((each) => each > place) : found.findLast((each) => each < place);
}

/** Returns the number of a speaker's colour, 1 to 6, by the order of first turns. */
export function getColour(place: number): number {
  return (place % COLOUR_COUNT) + 1;
}
