import { measureFigure as measureTurns, type SpokenSegment } from '../../acceptance/speakers.ts';
import { modelMismatch } from '../../core/inference/model-errors.ts';
import type { AcceptanceTask } from '../../core/runtime/acceptance-test.ts';
import type { WeightCard } from '../../core/runtime/weight-card.ts';
import { HUB_ENGINE, SEGMENTED_ENGINE } from './engines.ts';
import { feedChannels } from './feed-samples.ts';
import { FRAME_SECONDS, LOCAL_SPEAKERS, SAMPLE_RATE, startOfFrame } from './segment.ts';
import { SegmentedWindows, type WindowActivity } from './segmented-windows.ts';
import { AUDIO_DIARIZE_WEIGHTS as CARDS } from './weights.ts';

/** Segmentations by their engines, which do not show all faults of one: what it hears wrongly they leave as it was. */
const SEGMENTATIONS: ReadonlyMap<string, WeightCard> = new Map<string, WeightCard>([
  [HUB_ENGINE, CARDS['pyannote-segmentation-3.0']],
  [SEGMENTED_ENGINE, CARDS['pyannote-segmentation-3.0-int8']],
]);

/** Samples from one window to the next, 5 s. */
const WINDOW_STEP = 80_000;
/** Seconds around each boundary of the truth that are not judged. */
const COLLAR = 0.25;
/**
 * Shares of the frames that a segmentation must hear rightly: of all, and of those in which two people speak. The small
 * one reaches 0.90 of both, and with its classes of two voices exchanged 0.86 and 0.46.
 */
const RIGHT_MIN = 0.8;
const RIGHT_TOGETHER_MIN = 0.7;
/** Ways to give the voices of a window to three speakers. */
export const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;

/** Frames that were judged, and those that were right. */
interface Count {
  readonly judged: number;
  readonly right: number;
}

/**
 * Measures the diarization error on the conversation of the samples.
 * @throws OperationError `unavailable` when the engine's segmentation does not hear who speaks alone and together
 */
export async function measureFigure(task: AcceptanceTask): Promise<number> {
  const card = SEGMENTATIONS.get(task.engine);
  if (card) await assertHearsVoices(task, card);
  return await measureTurns(task);
}

async function assertHearsVoices({ runtime, sample }: AcceptanceTask, card: WeightCard): Promise<void> {
  const { audio, inference, signal } = runtime;
  const [conversation, truth] = await Promise.all([sample('conversation.mp3'), sample('conversation.json')]);
  const decoded = await audio.decode(conversation, { sampleRate: SAMPLE_RATE, channelCount: 2, signal });
  const { activities } = await inference.use(card, { signal }, async (session) => {
    const windows = new SegmentedWindows(session, { card, signal, step: WINDOW_STEP });
    await feedChannels(decoded, new Map([['mix', windows]]), () => {});
    return windows;
  });
  const speech: readonly SpokenSegment[] = JSON.parse(await truth.text());
  const endSeconds = decoded.frameCount / decoded.sampleRate;
  const { all, together } = judgeWindows(activities, speech, endSeconds);
  if (getShare(all) >= RIGHT_MIN && getShare(together) >= RIGHT_TOGETHER_MIN) return;
  throw modelMismatch(card, 'tell who speaks alone and who together');
}

/** Judges the windows, the voices of each by their best order: a window numbers them as it likes. */
function judgeWindows(
  activities: readonly WindowActivity[],
  speech: readonly SpokenSegment[],
  endSeconds: number,
): { readonly all: Count; readonly together: Count } {
  const isTogether = (bits: number) => (bits & (bits - 1)) !== 0;
  const sums = { all: { judged: 0, right: 0 }, together: { judged: 0, right: 0 } };
  const speakerAt = getSpeakers(speech, endSeconds);
  for (const { firstFrame, speakers } of activities) {
    const frames = Array.from(speakers, (heard, at) => ({
      heard,
      spoken: speakerAt(firstFrame + at),
    })).filter((frame): frame is { heard: number; spoken: number } => frame.spoken !== null);
    const rights = ORDERS.map((order) =>
      frames.filter(({ heard, spoken }) => reorder(heard, order) === spoken),
    );
    const right = rights.reduce((best, each) => (each.length > best.length ? each : best));
    sums.all.judged += frames.length;
    sums.all.right += right.length;
    sums.together.judged += frames.filter(({ spoken }) => isTogether(spoken)).length;
    sums.together.right += right.filter(({ spoken }) => isTogether(spoken)).length;
  }
  return sums;
}

/** Returns a function that tells the speakers of a frame, as bits; null where the frame is not judged. */
function getSpeakers(speech: readonly SpokenSegment[], endSeconds: number): (frame: number) => number | null {
  const names = [...new Set(speech.map(({ speaker }) => speaker))];
  const boundaries = speech.flatMap(({ start, end }) => [start, end]);
  return (frame) => {
    const seconds = startOfFrame(frame, Number.POSITIVE_INFINITY) + FRAME_SECONDS / 2;
    const isNear = boundaries.some((boundary) => Math.abs(seconds - boundary) < COLLAR);
    if (isNear || seconds > endSeconds) return null;
    const spoken = speech.filter(({ start, end }) => start <= seconds && seconds < end);
    return spoken.reduce((bits, { speaker }) => bits | (1 << names.indexOf(speaker)), 0);
  };
}

/** Gives the voices of a frame the numbers of speakers. */
function reorder(heard: number, order: readonly number[]): number {
  let bits = 0;
  for (let voice = 0; voice < LOCAL_SPEAKERS; voice++) if (heard & (1 << voice)) bits |= 1 << order[voice];
  return bits;
}

function getShare({ judged, right }: Count): number {
  return judged > 0 ? right / judged : 0;
}
