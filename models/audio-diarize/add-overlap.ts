import { joinNear, type TimeSpan } from '../kernels/audio/speech-regions.ts';
import type { Segment } from './assign-speakers.ts';
import { cosine, meanOf } from './find-speakers.ts';
import { inOrder } from './join-windows.ts';
import { EMBEDDING_LENGTH } from './speaker-embeddings.ts';
import { type FrameWindow, middleSeconds } from './speech-windows.ts';

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
 * Adds a second speaker where two people speak at once: one whose turns are near in time, and whose voice is like that of
 * the windows there.
 * @param segments in order, none overlapping another
 * @param overlaps spans in which two people speak
 * @returns segments in order of their starts, speakers numbered by first appearance; the given ones where there is one speaker
 */
export function addOverlap(
  segments: readonly Segment[],
  overlaps: readonly TimeSpan[],
  heard: WindowEmbeddings,
): readonly Segment[] {
  const voices = voicesOf(segments, heard);
  if (voices.size < 2 || overlaps.length === 0) return segments;
  const added = overlaps.flatMap((overlap) =>
    segments.flatMap(({ speaker, start, end }) => {
      const part = { start: Math.max(start, overlap.start), end: Math.min(end, overlap.end) };
      if (part.end - part.start < PART_SECONDS_MIN) return [];
      const others = [...voices].filter(([each]) => each !== speaker);
      return { ...part, speaker: likeliest(part, segments, new Map(others), heard) };
    }),
  );
  const turns = [...voices.keys()].flatMap((speaker) => {
    const own = [...segments, ...added].filter((segment) => segment.speaker === speaker);
    own.sort((one, other) => one.start - other.start);
    return joinNear(own, TOUCH_SECONDS).map((turn) => ({ speaker, ...turn }));
  });
  return inOrder(turns);
}

/** Returns the mean embedding of each speaker's windows, those whose middle is within a turn. */
function voicesOf(segments: readonly Segment[], { windows, embeddings }: WindowEmbeddings): Voices {
  const members = new Map<number, number[]>(segments.map(({ speaker }) => [speaker, []]));
  let at = 0;
  for (const [window, middle] of windows.map(middleSeconds).entries()) {
    while (at + 1 < segments.length && (segments[at] as Segment).end < middle) at += 1;
    members.get((segments[at] as Segment).speaker)?.push(window);
  }
  const points = { dimensions: EMBEDDING_LENGTH, values: embeddings };
  return new Map([...members].map(([speaker, own]) => [speaker, meanOf(points, own)]));
}

/** Returns the speaker of the best score during a part of an overlap. */
function likeliest(
  part: TimeSpan,
  segments: readonly Segment[],
  voices: Voices,
  { windows, embeddings }: WindowEmbeddings,
): number {
  const middle = (part.start + part.end) / 2;
  const near = windows.flatMap((window, at) =>
    Math.abs(middleSeconds(window) - middle) < NEAR_SECONDS ? [at] : [],
  );
  const scores = [...voices].map(([speaker, voice]) => {
    const cosines = near.map((window) => cosine(embeddings, window * EMBEDDING_LENGTH, voice));
    const mean = cosines.reduce((sum, each) => sum + each, 0) / Math.max(1, near.length);
    const away = Math.min(
      ...segments.map((segment) => (segment.speaker === speaker ? gap(segment, part) : FAR_SECONDS)),
    );
    return { speaker, score: mean - COSINE_A_SECOND * Math.min(FAR_SECONDS, away) };
  });
  return scores.reduce((best, each) => (each.score > best.score ? each : best)).speaker;
}

/** Returns the seconds between two spans, 0 where they touch. */
function gap(one: TimeSpan, other: TimeSpan): number {
  return Math.max(0, one.start - other.end, other.start - one.end);
}
