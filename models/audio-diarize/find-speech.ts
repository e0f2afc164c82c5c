import { type SpeechRule, speechRegions, type TimeSpan } from '../kernels/audio/speech-regions.ts';
import type { DecodedAudio } from '../runtime/audio-codec.ts';
import type { Session } from '../runtime/inference.ts';
import type { ReportProgress } from '../runtime/progress.ts';
import type { RunWarning } from '../runtime/run-warnings.ts';
import { ChannelDifference } from './channel-difference.ts';
import { feedChannels, type VoiceChannel } from './feed-samples.ts';
import { FRAME_SECONDS, VoiceActivity } from './voice-activity.ts';

const SPEECH: SpeechRule = {
  onset: 0.4,
  offset: 0.25,
  speechSecondsMin: 0.2,
  pauseSecondsMin: 0.5,
  padSeconds: 0.1,
};
/** A frame this certain is needed somewhere, or nothing counts as speech. */
const CERTAIN = 0.9;
/** Less speech in the whole file is none: a cough, a shout, a few frames of singing. */
const SPEECH_SECONDS_MIN = 0.5;
/** Speech that one channel alone must have beyond the mix of both, in seconds and as a share. */
const MORE_SECONDS = 1;
const MORE_SHARE = 0.25;
/** Share of the speech in the mix that a channel must have, and at most the other one, to carry all voices alone. */
const ALL_SHARE = 0.9;
const OTHER_SHARE = 0.25;

/** Regions of speech, with what finding them reports. */
export interface FoundSpeech {
  /** In order, apart from one another. None where all speech is doubtful or too little. */
  readonly regions: readonly TimeSpan[];
  /** Part of the sound in which they were heard. */
  readonly channel: VoiceChannel;
  readonly provider: string;
  readonly notices: readonly RunWarning[];
}

interface SpeechOptions {
  readonly signal: AbortSignal;
  readonly progress: ReportProgress;
}

/**
 * Finds speech in a recording. Decodes all of it: once in the mix of both channels, and where they differ a second time
 * in each alone, since one may drown the voices of the other.
 * @param session of Silero VAD
 */
export async function findSpeech(
  audio: DecodedAudio,
  session: Session,
  { signal, progress }: SpeechOptions,
): Promise<FoundSpeech> {
  const isStereo = audio.facts.channelCount > 1;
  const difference = new ChannelDifference();
  const hear = async (channels: readonly VoiceChannel[], from: number, to: number) => {
    const activities = new Map(channels.map((channel) => [channel, new VoiceActivity(session, signal)]));
    const report: ReportProgress = ({ fraction, ...rest }) =>
      progress({ fraction: from + (to - from) * fraction, ...rest });
    await feedChannels(audio, activities, report, (chunk) => difference.push(chunk));
    return [...activities].map(([channel, activity]) => foundIn(activity, channel, audio));
  };
  const [mix] = await hear(['mix'], 0, isStereo ? 0.5 : 1);
  if (!mix) throw new Error('each channel is heard');
  if (!isStereo || !difference.isLarge) return mix;
  const sides = await hear(['left', 'right'], 0.5, 1);
  const [best = mix, other = mix] = sides.toSorted(
    (one, two) => secondsOf(two.regions) - secondsOf(one.regions),
  );
  const isBetter = hasMore(best.regions, mix.regions) || carriesAll(best, mix, other);
  const notices = [...mix.notices, ...sides.flatMap((side) => side.notices)];
  return { ...(isBetter ? best : mix), notices };
}

function foundIn(activity: VoiceActivity, channel: VoiceChannel, audio: DecodedAudio): FoundSpeech {
  const { probabilities, provider, notices } = activity;
  const regions = speechIn(probabilities, audio.frameCount / audio.sampleRate);
  return { regions, channel, provider, notices: [...notices] };
}

/** Reports whether all voices are in one channel, so that the other one only disturbs them. */
function carriesAll(best: FoundSpeech, mix: FoundSpeech, other: FoundSpeech): boolean {
  const seconds = secondsOf(best.regions);
  const isAll = seconds > 0 && seconds >= ALL_SHARE * secondsOf(mix.regions);
  return isAll && secondsOf(other.regions) < OTHER_SHARE * seconds;
}

/** Reports whether one channel has clearly more speech than the mix. */
function hasMore(side: readonly TimeSpan[], mix: readonly TimeSpan[]): boolean {
  const mixSeconds = secondsOf(mix);
  return secondsOf(side) > mixSeconds + Math.max(MORE_SECONDS, MORE_SHARE * mixSeconds);
}

function secondsOf(regions: readonly TimeSpan[]): number {
  return regions.reduce((sum, { start, end }) => sum + end - start, 0);
}

/**
 * Returns the regions of speech; none where all speech is doubtful or too little.
 * @param endSeconds length of the audio: the last frame, filled up with silence, may reach further
 */
function speechIn(probabilities: readonly number[], endSeconds: number): TimeSpan[] {
  if (!probabilities.some((probability) => probability >= CERTAIN)) return [];
  const regions = speechRegions(probabilities, FRAME_SECONDS, SPEECH).map(({ start, end }) => ({
    start,
    end: Math.min(end, endSeconds),
  }));
  return secondsOf(regions) < SPEECH_SECONDS_MIN ? [] : regions;
}
