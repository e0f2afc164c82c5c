import {
  FRAME_SECONDS,
  frameFrom,
  getTurns,
  LOCAL_SPEAKERS,
  type Segment,
  sortSegments,
  startOfFrame,
  type TurnRule,
} from './segment.ts';
import type { WindowActivity } from './segmented-windows.ts';

/** Share of a voice's frames that must be one speaker's, so that the voice is that speaker's in all of them. */
const CERTAIN_SHARE = 0.8;
/** Such a share, so that a voice is that speaker's where another one speaks, too. */
const LIKELY_SHARE = 0.5;
/** Frames alone under which nothing tells whose a voice is: 0.1 s. */
const ALONE_MIN = 6;
const REFINED_TURNS: TurnRule = { gapSeconds: 0.3, turnSecondsMin: 0.2 };

/** Speaker of each frame, -1 where no one speaks. */
type Path = Int8Array;

/** Speaker that each voice of a window is: for certain, or likely; -1 where nothing tells. */
interface VoiceSpeakers {
  readonly certain: readonly number[];
  readonly likely: readonly number[];
}

/** Sums over all windows, for each frame. */
interface Votes {
  /** Windows that hear a speaker: frames x speakers. */
  readonly ofSpeakers: Uint8Array;
  /** Voices that all windows hear, and the windows. */
  readonly voices: Uint16Array;
  readonly windows: Uint8Array;
}

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
  const getClusters = activities.map(() => new Map<number, number>());
  voices.forEach(({ window, speaker }, at) => {
    getClusters[window]?.set(speaker, clusters[at]);
  });
  activities.forEach(({ firstFrame, speakers: heardBy }, window) => {
    heardBy.forEach((speakers, at) => {
      const frame = firstFrame + at;
      windows[frame] = windows[frame] + 1;
      for (const cluster of clustersAt(speakers, getClusters[window])) {
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
    for (const { vote, cluster } of best.slice(0, count)) if (vote > 0) isOn[cluster][frame] = 1;
  }
  return sortSegments(
    isOn.flatMap((frames, speaker) => {
      const turns = getTurns(speaker, frames, endSeconds, TURNS);
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

/**
 * Moves the ends of turns to where a segmentation hears them, and adds a second speaker where it hears two. A voice
 * that a window hears is the speaker's who has most of its frames; where several share them, the turns stay as they
 * are. So they do where the segmentation hears no one: it misses speech in noise, as it hears two voices as one from
 * afar.
 * @param segments in order, none overlapping another; no one speaks elsewhere. At most 127 speakers
 * @param activities in order
 * @param endSeconds length of the audio
 * @returns segments in order of their starts, with the same speakers, numbered by first appearance; they may overlap
 */
export function refineTurns(
  segments: readonly Segment[],
  activities: readonly WindowActivity[],
  endSeconds: number,
): Segment[] {
  const count = Math.max(-1, ...segments.map(({ speaker }) => speaker)) + 1;
  const path = getPath(segments, Math.ceil(endSeconds / FRAME_SECONDS) + 1);
  const votes = countVotes(path, activities, count);
  const isOn = Array.from({ length: count }, () => new Uint8Array(path.length));
  path.forEach((speaker, frame) => {
    if (speaker < 0) return;
    for (const each of speakersAt(frame, speaker, votes, count)) isOn[each][frame] = 1;
  });
  return sortSegments(
    isOn.flatMap((frames, speaker) => {
      const turns = getTurns(speaker, frames, endSeconds, REFINED_TURNS);
      return turns.length > 0 ? turns : getLongest(segments, speaker);
    }),
  );
}

function getPath(segments: readonly Segment[], frames: number): Path {
  const path = new Int8Array(frames).fill(-1);
  for (const { speaker, start, end } of segments) path.fill(speaker, frameFrom(start), frameFrom(end));
  return path;
}

function countVotes(path: Path, activities: readonly WindowActivity[], count: number): Votes {
  const ofSpeakers = new Uint8Array(path.length * count);
  const voices = new Uint16Array(path.length);
  const windows = new Uint8Array(path.length);
  for (const activity of activities) {
    const known = findSpeakers(path, activity, count);
    activity.speakers.forEach((bits, at) => {
      const frame = activity.firstFrame + at;
      if (frame >= path.length) return;
      windows[frame] = windows[frame] + 1;
      const heard = voicesIn(bits);
      voices[frame] = voices[frame] + heard.length;
      const own = heard.length > 1 ? known.likely : known.certain;
      for (const speaker of new Set(heard.map((voice) => own[voice]))) {
        const voted = speaker < 0 ? path[frame] : speaker;
        if (voted < 0) continue;
        const place = frame * count + voted;
        ofSpeakers[place] = ofSpeakers[place] + 1;
      }
    });
  }
  return { ofSpeakers, voices, windows };
}

/** Finds whose each voice of a window is, by the frames in which it is alone. */
function findSpeakers(path: Path, { firstFrame, speakers }: WindowActivity, count: number): VoiceSpeakers {
  const shared = Array.from({ length: LOCAL_SPEAKERS }, () => new Uint32Array(count));
  speakers.forEach((bits, at) => {
    const speaker = path[firstFrame + at] ?? -1;
    const [voice, other] = voicesIn(bits);
    if (voice === undefined || other !== undefined || speaker < 0) return;
    const own = shared[voice];
    own[speaker] = own[speaker] + 1;
  });
  const found = shared.map((own) => {
    const most = Math.max(...own);
    const alone = own.reduce((sum, frames) => sum + frames, 0);
    return { speaker: own.indexOf(most), share: alone < ALONE_MIN ? 0 : most / alone };
  });
  const of = (shareMin: number) => found.map(({ speaker, share }) => (share >= shareMin ? speaker : -1));
  return { certain: of(CERTAIN_SHARE), likely: of(LIKELY_SHARE) };
}

function voicesIn(bits: number): number[] {
  const voices: number[] = [];
  for (let voice = 0; voice < LOCAL_SPEAKERS; voice++) if (bits & (1 << voice)) voices.push(voice);
  return voices;
}

/** Returns as many speakers of a frame as most windows hear; at least one. @param usual speaker that wins a tie */
function speakersAt(frame: number, usual: number, votes: Votes, count: number): number[] {
  const heard = Math.round(votes.voices[frame] / Math.max(1, votes.windows[frame]));
  if (heard === 0) return [usual];
  const row = votes.ofSpeakers.subarray(frame * count, (frame + 1) * count);
  const getWeight = (speaker: number) => 2 * row[speaker] + (speaker === usual ? 1 : 0);
  const ranked = Array.from(row, (_, speaker) => speaker).filter((speaker) => row[speaker]);
  ranked.sort((one, other) => getWeight(other) - getWeight(one));
  return ranked.length > 0 ? ranked.slice(0, heard) : [usual];
}

function getLongest(segments: readonly Segment[], speaker: number): Segment[] {
  const own = segments.filter((segment) => segment.speaker === speaker);
  const getLength = ({ start, end }: Segment) => end - start;
  return own.toSorted((one, other) => getLength(other) - getLength(one)).slice(0, 1);
}
