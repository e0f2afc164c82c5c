import type { Division } from './divide-speech.ts';
import { COSINE_SCALE } from './speech-steps.ts';

/** Weight of a further speaker in the criterion. */
const SPEAKER_WEIGHT = 1.5;
/** The same where so many speakers are known to be there. */
const KNOWN_WEIGHT = 1;
/** Relation from which two speakers may be one, and what each window then costs for each unit of more. */
const RELATED = { from: 0.8, weight: 2 };
/** Relation from which two speakers are one in their own channel, next to another one: nearly always one person's. */
export const RELATION_MAX_IN_PART = 0.7;
/**
 * Windows that count: more of them tell how one voice varies in the long run, rather than that there is another one.
 */
const WINDOWS_MAX = 300;
/** Least mean of 1 - cosine, against which a smaller one is no gain. */
const SPREAD_MIN = 0.02;
/** Numbers of speakers without a gain, after which no larger one is tried. */
const PATIENCE = 3;
const SPEAKERS_MAX = 20;

interface CountRule {
  /** Number that is known: no more are found, and fewer only where a further one is a part of another's voice. */
  readonly speakerCount?: number;
  /** Relation from which two speakers are one; 2, which none has, when absent. */
  readonly relationMax?: number;
}

/**
 * Chooses the number of speakers by the Bayesian information criterion (Chen and Gopalakrishnan, 1998): another speaker
 * must bring the windows closer to their speakers' means by more than chance does, and by still more where two are
 * related as halves of one voice are. The constants were set on conversations at one table, monologues, rounds and
 * conversations that one speaker leads, made of speakers held out in training.
 * @param windowCount windows of speech; at least 1
 * @param divide divides the speech among so many speakers
 * @returns the division among the number that was chosen
 */
export async function chooseDivision(
  windowCount: number,
  divide: (count: number) => Promise<Division>,
  { speakerCount, relationMax = 2 }: CountRule = {},
): Promise<Division> {
  const windows = Math.min(WINDOWS_MAX, windowCount);
  const weight =
    (speakerCount === undefined ? SPEAKER_WEIGHT : KNOWN_WEIGHT) * Math.log(Math.max(3, windows));
  const limit = Math.min(speakerCount ?? SPEAKERS_MAX, windowCount);
  const patience = speakerCount ?? PATIENCE;
  let best = await divide(1);
  let least = windows * Math.log(getSpread(best));
  let bestCount = 1;
  for (let count = 2; count <= Math.min(limit, bestCount + patience); count++) {
    const division = await divide(count);
    const criterion = windows * Math.log(getSpread(division)) + weight * (count - 1);
    if (criterion >= least) continue;
    const relation = division.relation();
    const related = RELATED.weight * windows * Math.max(0, relation - RELATED.from);
    if (criterion + related < least && relation < relationMax)
      [best, least, bestCount] = [division, criterion + related, count];
  }
  return best;
}

/** Returns the mean of 1 - cosine to the own speaker, changes of speaker added. */
function getSpread({ score, speakers }: Division): number {
  return Math.max(SPREAD_MIN, 1 - score / (COSINE_SCALE * speakers.length));
}
