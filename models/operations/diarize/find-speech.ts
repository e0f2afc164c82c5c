import type { DecodedAudio, PcmChunk } from '../../core/runtime/audio-codec.ts';
import type { Session } from '../../core/runtime/inference.ts';
import type { ReportProgress } from '../../core/runtime/progress.ts';
import type { RunWarning } from '../../core/runtime/run-warnings.ts';
import {
  mergeCloseSpans,
  type SpeechRule,
  speechRegions,
  type TimeSpan,
} from '../../kernels/audio/speech-regions.ts';
import { type Echo, EchoMeter } from './echo.ts';
import { feedChannels, joinSinks, type SampleSink, type VoiceChannel } from './feed-samples.ts';
import { getSeconds, separateSides, sharedSpans } from './separate-sides.ts';
import { FRAME, FRAME_SECONDS, VoiceActivity } from './voice-activity.ts';

/** Correlation of two channels under which each may hold what the other drowns. */
const CORRELATION_MAX = 0.5;

/** Mean power of a channel under which it is silent: -80 dB. */
const SILENCE_POWER = 1e-8;

/** Measure of how much the two channels of a recording differ. */
export class ChannelDifference {
  #left = 0;
  #right = 0;
  #both = 0;
  #frames = 0;

  /** Whether they hold different sounds, none of which is silence. False for one channel. */
  get isLarge(): boolean {
    const least = SILENCE_POWER * this.#frames;
    if (this.#left <= least || this.#right <= least) return false;
    return Math.abs(this.#both) < CORRELATION_MAX * Math.sqrt(this.#left * this.#right);
  }

  /** Hears the next samples. */
  push([left, right]: PcmChunk): void {
    if (!left || !right) return;
    this.#frames += left.length;
    for (let at = 0; at < left.length; at++) {
      const [one, other] = [left[at], right[at]];
      this.#left += one * one;
      this.#right += other * other;
      this.#both += one * other;
    }
  }
}

/** Mean power of each frame of a stream, the last one filled up with silence. */
class FramePowers implements SampleSink {
  readonly values: number[] = [];
  readonly #frame: number;
  #sum = 0;
  #count = 0;

  /** @param frame samples of a frame */
  constructor(frame: number) {
    this.#frame = frame;
  }

  async push(samples: Float32Array): Promise<void> {
    for (const sample of samples) {
      this.#sum += sample * sample;
      this.#count += 1;
      if (this.#count === this.#frame) await this.finish();
    }
  }

  async finish(): Promise<void> {
    if (this.#count === 0) return;
    this.values.push(this.#sum / this.#frame);
    [this.#sum, this.#count] = [0, 0];
  }
}

const SPEECH: SpeechRule = {
  onset: 0.4,
  offset: 0.25,
  speechSecondsMin: 0.2,
  pauseSecondsMin: 0.5,
  padSeconds: 0.1,
};

/**
 * Speech that is too faint to count by itself: far voices, and the ends of sentences. On 24 conversations of speakers held
 * out in training, at tables, in noise and as quiet as far microphones are, it takes 0.8 points off the mean error of 33.3 %.
 */
const FAINT: SpeechRule = { ...SPEECH, onset: 0.15, offset: 0.1 };

/** Time before and after plain speech in which faint speech counts, too. */
const NEAR_SECONDS = 2;

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

/** Speech in one part of the sound. */
export interface SpeechPart {
  /** In order, apart from one another. None where all speech is doubtful or too little. */
  readonly regions: readonly TimeSpan[];
  /** Part of the sound in which they were heard. */
  readonly channel: VoiceChannel;
}

/** Speech, with what finding it reports. */
export interface FoundSpeech {
  /** One part, or both channels where each has its own speakers. */
  readonly parts: readonly SpeechPart[];
  /** Echo in the mix of both channels. */
  readonly echo: Echo | null;
  readonly provider: string;
  readonly notices: readonly RunWarning[];
}

interface SpeechOptions {
  readonly signal: AbortSignal;
  readonly progress: ReportProgress;
}

/**
 * Finds speech in a recording. Decodes all of it: once in the mix of both channels, and where they differ a second time
 * in each alone, since one may drown the voices of the other, or each may have its own microphone.
 * @param session of Silero VAD
 */
export async function findSpeech(
  audio: DecodedAudio,
  session: Session,
  { signal, progress }: SpeechOptions,
): Promise<FoundSpeech> {
  const isStereo = audio.facts.channelCount > 1;
  const difference = new ChannelDifference();
  const echoMeter = new EchoMeter();
  const hear = async (channels: readonly VoiceChannel[], from: number, to: number) => {
    const heard = channels.map((channel) => ({
      channel,
      activity: new VoiceActivity(session, signal),
      powers: new FramePowers(FRAME),
    }));
    const sinks = new Map(
      heard.map(({ channel, activity, powers }) => [
        channel,
        channel === 'mix' ? joinSinks(activity, powers, echoMeter) : joinSinks(activity, powers),
      ]),
    );
    const report: ReportProgress = ({ fraction, ...rest }) =>
      progress({ fraction: from + (to - from) * fraction, ...rest });
    await feedChannels(audio, sinks, report, { hear: (chunk) => difference.push(chunk) });
    return heard.map((each) => getChannel(each, audio));
  };
  const [mix] = await hear(['mix'], 0, isStereo ? 0.5 : 1);
  if (!mix) throw new Error('each channel is heard');
  if (!isStereo || !difference.isLarge) return { ...mix, parts: [mix], echo: echoMeter.find() };
  const [left = mix, right = mix] = await hear(['left', 'right'], 0.5, 1);
  const notices = [mix, left, right].flatMap((each) => each.notices);
  return { provider: mix.provider, notices, parts: getParts(mix, left, right), echo: echoMeter.find() };
}

/** One part of the sound, as it was heard. */
interface HeardChannel extends SpeechPart {
  readonly powers: readonly number[];
  readonly provider: string;
  readonly notices: readonly RunWarning[];
}

function getChannel(
  { channel, activity, powers }: { channel: VoiceChannel; activity: VoiceActivity; powers: FramePowers },
  audio: DecodedAudio,
): HeardChannel {
  const { probabilities, provider, notices } = activity;
  const regions = speechIn(probabilities, audio.frameCount / audio.sampleRate);
  return { regions, channel, powers: powers.values, provider, notices: [...notices] };
}

/** Returns the parts of the sound whose speech is to be told apart. */
function getParts(mix: HeardChannel, left: HeardChannel, right: HeardChannel): SpeechPart[] {
  const apart = separateSides(left, right);
  if (apart) return apart.map((regions, at) => ({ regions, channel: at === 0 ? 'left' : 'right' }));
  const isLeft = getSeconds(left.regions) >= getSeconds(right.regions);
  const [best, other] = isLeft ? [left, right] : [right, left];
  return [hasMore(best.regions, mix.regions) || carriesAll(best, mix, other) ? best : mix];
}

/** Reports whether all voices are in one channel, so that the other one only disturbs them. */
function carriesAll(best: SpeechPart, mix: SpeechPart, other: SpeechPart): boolean {
  const seconds = getSeconds(best.regions);
  const isAll = seconds > 0 && seconds >= ALL_SHARE * getSeconds(mix.regions);
  return isAll && getSeconds(other.regions) < OTHER_SHARE * seconds;
}

/** Reports whether one channel has clearly more speech than the mix. */
function hasMore(side: readonly TimeSpan[], mix: readonly TimeSpan[]): boolean {
  const mixSeconds = getSeconds(mix);
  return getSeconds(side) > mixSeconds + Math.max(MORE_SECONDS, MORE_SHARE * mixSeconds);
}

/**
 * Returns the regions of plain speech, and of faint speech next to it; none where all speech is doubtful or too little.
 * @param endSeconds length of the audio: the last frame, filled up with silence, may reach further
 */
function speechIn(probabilities: readonly number[], endSeconds: number): TimeSpan[] {
  if (!probabilities.some((probability) => probability >= CERTAIN)) return [];
  const plain = speechRegions(probabilities, FRAME_SECONDS, SPEECH);
  const around = plain.map(({ start, end }) => ({ start: start - NEAR_SECONDS, end: end + NEAR_SECONDS }));
  const faint = speechRegions(probabilities, FRAME_SECONDS, FAINT);
  const regions = sharedSpans(faint, mergeCloseSpans(around, 0))
    .map(({ start, end }) => ({ start, end: Math.min(end, endSeconds) }))
    .filter(({ start, end }) => end - start >= SPEECH.speechSecondsMin);
  return getSeconds(regions) < SPEECH_SECONDS_MIN ? [] : regions;
}
