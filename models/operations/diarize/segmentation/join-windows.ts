import { LOCAL_SPEAKERS } from '../kernels/powerset.ts';
import { startOfFrame } from './frame-times.ts';
import { type Segment, sortSegments, type TurnRule, turnsOf } from './segment.ts';
import type { WindowActivity } from './segmented-windows.ts';

const TURNS: TurnRule = { gapSeconds: 0.5, turnSecondsMin: 0.3 };

/** Voice of one speaker in one window. */
export interface LocalVoice {
  /** Index of the window. */
  readonly window: number;
  readonly speaker: number;
}

/** Voices found in each window by itself. */
interface Voices {
  readonly activities: readonly WindowActivity[];
  readonly voices: readonly LocalVoice[];
}

/**
 * Joins overlapping windows into one timeline, as pyannote does: the number of speakers at a frame is the rounded mean
 * of its windows, and the speakers that most windows hear there take the places.
 * @param voices with a cluster each
 * @param clusters cluster of each voice
 * @param endSeconds length of the audio
 * @param needsAll whether each cluster gets a turn: the longest of its voices, where the windows outvote them
 * everywhere
 * @returns segments in order of their starts, speakers numbered by first appearance; they may overlap
 */
export function joinWindows(
  { activities, voices }: Voices,
  clusters: readonly number[],
  endSeconds: number,
  needsAll: boolean,
): Segment[] {
  const last = activities.at(-1);
  const frames = last ? last.firstFrame + last.speakers.length : 0;
  const clusterCount = Math.max(-1, ...clusters) + 1;
  const votes = new Uint8Array(frames * clusterCount);
  const heard = new Uint16Array(frames);
  const windows = new Uint8Array(frames);
  const clustersOf = activities.map(() => new Map<number, number>());
  voices.forEach(({ window, speaker }, at) => {
    clustersOf[window]?.set(speaker, clusters[at]);
  });
  activities.forEach(({ firstFrame, speakers: heardBy }, window) => {
    heardBy.forEach((speakers, at) => {
      const frame = firstFrame + at;
      windows[frame] = windows[frame] + 1;
      for (const cluster of clustersAt(speakers, clustersOf[window])) {
        votes[frame * clusterCount + cluster] = votes[frame * clusterCount + cluster] + 1;
        heard[frame] = heard[frame] + 1;
      }
    });
  });
  const isOn = Array.from({ length: clusterCount }, () => new Uint8Array(frames));
  for (let frame = 0; frame < frames; frame++) {
    const count = Math.round(heard[frame] / Math.max(1, windows[frame]));
    const row = [...votes.subarray(frame * clusterCount, (frame + 1) * clusterCount)];
    const best = row.map((vote, cluster) => ({ vote, cluster })).sort((a, b) => b.vote - a.vote);
    for (const { vote, cluster } of best.slice(0, count))
      if (vote > 0) (isOn[cluster] as Uint8Array)[frame] = 1;
  }
  return sortSegments(
    isOn.flatMap((frames, speaker) => {
      const turns = turnsOf(speaker, frames, endSeconds, TURNS);
      if (turns.length > 0 || !needsAll) return turns;
      const own = voices.filter((_, at) => clusters[at] === speaker);
      return longestTurn(activities, own, endSeconds, speaker);
    }),
  );
}

/** Returns the longest uninterrupted turn of any of the voices; none where there is no voice. */
function longestTurn(
  activities: readonly WindowActivity[],
  voices: readonly LocalVoice[],
  endSeconds: number,
  cluster: number,
): Segment[] {
  let [longest, first] = [0, 0];
  for (const { window, speaker } of voices) {
    let length = 0;
    const { firstFrame, speakers: heard } = activities[window];
    heard.forEach((speakers, at) => {
      length = speakers & (1 << speaker) ? length + 1 : 0;
      if (length > longest) [longest, first] = [length, firstFrame + at - length + 1];
    });
  }
  if (longest === 0) return [];
  const [start, end] = [startOfFrame(first, endSeconds), startOfFrame(first + longest, endSeconds)];
  return [{ speaker: cluster, start, end }];
}

/** Returns the clusters of the speakers of a frame, each once. */
function clustersAt(speakers: number, clusters: ReadonlyMap<number, number>): Set<number> {
  const found = new Set<number>();
  for (let speaker = 0; speaker < LOCAL_SPEAKERS; speaker++) {
    const cluster = clusters.get(speaker);
    if (cluster !== undefined && speakers & (1 << speaker)) found.add(cluster);
  }
  return found;
}
