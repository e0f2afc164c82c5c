import type { Division } from './divide-speech.ts';
import { COSINE_SCALE } from './speech-steps.ts';

/** Weight of a further speaker in the criterion. */
const SPEAKER_WEIGHT = 1.5;
/** Relation from which two speakers are one. */
const RELATION_MAX = 0.85;
/**
 * Windows that count: more of them tell how one voice varies in the long run, rather than that there is another one.
 */
const WINDOWS_MAX = 300;
/** Least mean of 1 - cosine, beside which a smaller one is no gain. */
const SPREAD_MIN = 0.02;
/** Numbers of speakers without a gain, after which no larger one is tried. */
const PATIENCE = 3;
const SPEAKERS_MAX = 20;

/**
 * Chooses the number of speakers by the Bayesian information criterion (Chen and Gopalakrishnan, 1998): another speaker
 * must bring the windows closer to their speakers' means by more than chance does. No two may be related as halves of
 * one voice are. The constants were set on conversations at one table, monologues and rounds, made of speakers held out
 * in training.
 * @param windowCount windows of speech; at least 1
 * @param divide divides the speech among so many speakers
 * @returns the division among the number that was chosen
 */
export function chooseDivision(windowCount: number, divide: (count: number) => Division): Division {
  const windows = Math.min(WINDOWS_MAX, windowCount);
  const weight = SPEAKER_WEIGHT * Math.log(Math.max(3, windows));
  let best = divide(1);
  let least = windows * Math.log(spreadOf(best));
  let bestCount = 1;
  for (let count = 2; count <= Math.min(SPEAKERS_MAX, windowCount, bestCount + PATIENCE); count++) {
    const division = divide(count);
    const criterion = windows * Math.log(spreadOf(division)) + weight * (count - 1);
    if (criterion < least && division.relation() < RELATION_MAX)
      [best, least, bestCount] = [division, criterion, count];
  }
  return best;
}

/** Returns the mean of 1 - cosine to the own speaker, changes of speaker added. */
function spreadOf({ score, speakers }: Division): number {
  return Math.max(SPREAD_MIN, 1 - score / (COSINE_SCALE * speakers.length));
}
