import { mergeCloseSpans, type TimeSpan } from '../../kernels/audio/speech-regions.ts';
import { cosine, meanVector } from './find-speakers.ts';
import { type Segment, sortSegments } from './segment.ts';
import { EMBEDDING_LENGTH } from './speaker-embeddings.ts';
import { centreSeconds, type FrameWindow } from './speech-windows.ts';

/** Windows of 2 s whose middles are closer hold the middle of an overlap: they tell who speaks there. In seconds. */
const NEAR_SECONDS = 1;
/** Cosine that each second counts for between the overlap and the nearest turn of a speaker. */
const COSINE_A_SECOND = 0.05;
/** Seconds from which a turn is far, however far. */
const FAR_SECONDS = 5;
/** Shorter parts of an overlap are dropped. */
const PART_SECONDS_MIN = 0.2;
/** Parts of one turn touch; rounding may part them by less. No other turn of 0.1 s fits in between. */
const TOUCH_SECONDS = 0.05;

/** Embeddings of windows, one after another, of length 1. */
export interface WindowEmbeddings {
  readonly windows: readonly FrameWindow[];
  readonly embeddings: Float32Array;
}

/** Mean embedding of each speaker. */
type Voices = ReadonlyMap<number, Float32Array>;

/**
 * Adds a second speaker where two people speak at once: one whose turns are near in time, and whose voice is like that
 * of the windows there.
 * @param segments in order, none overlapping another
 * @param overlaps spans in which two people speak
 * @returns segments in order of their starts, speakers numbered by first appearance; the given ones where there is one
 * speaker
 */
export function addOverlap(
  segments: readonly Segment[],
  overlaps: readonly TimeSpan[],
  heard: WindowEmbeddings,
): readonly Segment[] {
  const voices = getVoices(segments, heard);
  if (voices.size < 2 || overlaps.length === 0) return segments;
  const middles = heard.windows.map(centreSeconds);
  const added = overlaps.flatMap((overlap) =>
    segmentsWithin(segments, overlap).flatMap(({ speaker, start, end }) => {
      const part = { start: Math.max(start, overlap.start), end: Math.min(end, overlap.end) };
      if (part.end - part.start < PART_SECONDS_MIN) return [];
      const others = new Map([...voices].filter(([each]) => each !== speaker));
      const near = embeddingsNear((part.start + part.end) / 2, middles, heard.embeddings);
      return { ...part, speaker: likeliest(part, segments, others, near) };
    }),
  );
  const turns = [...voices.keys()].flatMap((speaker) => {
    const own = [...segments, ...added].filter((segment) => segment.speaker === speaker);
    own.sort((one, other) => one.start - other.start);
    return mergeCloseSpans(own, TOUCH_SECONDS).map((turn) => ({ speaker, ...turn }));
  });
  return sortSegments(turns);
}

/** Returns the mean embedding of each speaker's windows, those whose middle is within a turn. */
function getVoices(segments: readonly Segment[], { windows, embeddings }: WindowEmbeddings): Voices {
  const members = new Map<number, number[]>(segments.map(({ speaker }) => [speaker, []]));
  let at = 0;
  for (const [window, middle] of windows.map(centreSeconds).entries()) {
    while (at + 1 < segments.length && segments[at].end < middle) at += 1;
    members.get(segments[at].speaker)?.push(window);
  }
  const points = { dimensions: EMBEDDING_LENGTH, values: embeddings };
  return new Map([...members].map(([speaker, own]) => [speaker, meanVector(points, own)]));
}

/** Returns the embeddings of the windows that hold a time. */
function embeddingsNear(
  seconds: number,
  middles: readonly number[],
  embeddings: Float32Array,
): readonly Float32Array[] {
  const first = firstAfter(middles, (middle) => middle, seconds - NEAR_SECONDS);
  const near: Float32Array[] = [];
  for (let at = first; (middles[at] ?? Number.POSITIVE_INFINITY) < seconds + NEAR_SECONDS; at++) {
    near.push(embeddings.subarray(at * EMBEDDING_LENGTH, (at + 1) * EMBEDDING_LENGTH));
  }
  return near;
}

/** Returns the speaker of the best score during a part of an overlap. */
function likeliest(
  part: TimeSpan,
  segments: readonly Segment[],
  voices: Voices,
  near: readonly Float32Array[],
): number {
  const around = { start: part.start - FAR_SECONDS, end: part.end + FAR_SECONDS };
  const turns = segmentsWithin(segments, around);
  const scores = [...voices].map(([speaker, voice]) => {
    const cosines = near.map((embedding) => cosine(embedding, 0, voice));
    const mean = cosines.reduce((sum, each) => sum + each, 0) / Math.max(1, near.length);
    const away = Math.min(
      FAR_SECONDS,
      ...turns.filter((turn) => turn.speaker === speaker).map((turn) => gap(turn, part)),
    );
    return { speaker, score: mean - COSINE_A_SECOND * away };
  });
  return scores.reduce((best, each) => (each.score > best.score ? each : best)).speaker;
}

/** Returns the segments that share time with a span. @param segments in order, none overlapping another */
function segmentsWithin(segments: readonly Segment[], span: TimeSpan): readonly Segment[] {
  const first = firstAfter(segments, ({ end }) => end, span.start);
  const found: Segment[] = [];
  for (let at = first; (segments[at]?.start ?? Number.POSITIVE_INFINITY) < span.end; at++) {
    found.push(segments[at]);
  }
  return found;
}

/** Returns the place of the first item whose time is after another time. @param items in the order of their times */
function firstAfter<Item>(items: readonly Item[], getTime: (item: Item) => number, seconds: number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (getTime(items[middle]) > seconds) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns the seconds between two spans, 0 where they touch. */
function gap(one: TimeSpan, other: TimeSpan): number {
  return Math.max(0, one.start - other.end, other.start - one.end);
}
