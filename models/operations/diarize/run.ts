import { type ModelEngine, runBestEngine } from '../../core/inference/engine-ladder.ts';
import { modelMismatch } from '../../core/inference/model-errors.ts';
import { withSessions } from '../../core/inference/sessions.ts';
import type { RunResult } from '../../core/operation/run-result.ts';
import type { DecodedAudio } from '../../core/runtime/audio-codec.ts';
import type { Inference, Session } from '../../core/runtime/inference.ts';
import { type StepsOfRun, steps } from '../../core/runtime/progress.ts';
import { formatWarning, type RunWarning } from '../../core/runtime/run-warnings.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { getFloats } from '../../core/runtime/tensor.ts';
import type { WeightCard } from '../../core/runtime/weight-card.ts';
import { type SpeechRule, speechRegions, type TimeSpan } from '../../kernels/audio/speech-regions.ts';
import { AUDIO_SECONDS_MAX } from '../../media/audio/read/probe-audio.ts';
import { addOverlap } from './add-overlap.ts';
import { assignParts, joinParts } from './assign-speakers.ts';
import { BUNDLED_ENGINE } from './engines.ts';
import { FBANK_BANDS, FBANK_HOP, FBANK_RATE } from './fbank.ts';
import { type DiarizeOptions, feedChannels, filterBank } from './feed-samples.ts';
import { findSpeech } from './find-speech.ts';
import { hubEngine } from './hub-engine.ts';
import { WESPEAKER_CARD } from './local-segmentation.ts';
import type { DiarizeParams } from './schema.ts';
import type { Segment } from './segment.ts';
import { segmentedEngine } from './segmented-engine.ts';
import { SPEAKER_CARD, SpeakerEmbeddings } from './speaker-embeddings.ts';
import { withWindows } from './speech-windows.ts';
import { VAD_CARD } from './voice-activity.ts';
import { AUDIO_DIARIZE_WEIGHTS } from './weights.ts';

const OVERLAP_CARD = AUDIO_DIARIZE_WEIGHTS.overlap;

/** Frames of the filter bank that one probability covers. */
const STRIDE = 4;

/** Frames of a window, 4 s, and from one to the next. */
const WINDOW = 400;

const STEP = 200;

/** First frames of a window that only give context, except at the start of the stream. */
const MARGIN = (WINDOW - STEP) / 2;

const FRAME_SECONDS = FBANK_HOP / FBANK_RATE;

/** Length of the time that one probability covers. */
export const OVERLAP_SECONDS = STRIDE * FRAME_SECONDS;

/** The probability that two or more people speak, in each 40 ms of a stream. Holds the frames of one window only. */
export class OverlapActivity {
  /** Zero where no one speaks. */
  readonly probabilities: Float32Array;
  readonly #session: Session;
  readonly #signal: AbortSignal;
  readonly #regions: readonly TimeSpan[];
  /** Frames from `#firstFrame` on. */
  #frames: Float32Array[] = [];
  #firstFrame = 0;

  /** @param regions of speech, in order */
  constructor(session: Session, regions: readonly TimeSpan[], signal: AbortSignal) {
    this.#session = session;
    this.#regions = regions;
    this.#signal = signal;
    this.probabilities = new Float32Array(Math.ceil((regions.at(-1)?.end ?? 0) / OVERLAP_SECONDS));
  }

  /** @throws OperationError `unavailable` when the model is another one */
  async push(frames: readonly Float32Array[]): Promise<void> {
    this.#frames.push(...frames);
    while (this.#frames.length >= WINDOW) {
      await this.#judge(WINDOW, WINDOW - MARGIN);
      this.#frames = this.#frames.slice(STEP);
      this.#firstFrame += STEP;
    }
  }

  /** Judges the rest of the stream, in a window that is shorter. */
  async finish(): Promise<void> {
    if (this.#frames.length > this.#margin) await this.#judge(this.#frames.length, this.#frames.length);
  }

  get #margin(): number {
    return this.#firstFrame === 0 ? 0 : MARGIN;
  }

  /** Judges the next frames, of which those from the margin to `end` are told of. */
  async #judge(count: number, end: number): Promise<void> {
    if (!this.#hasSpeech(this.#firstFrame + this.#margin, this.#firstFrame + end)) return;
    const data = new Float32Array(count * FBANK_BANDS);
    for (let at = 0; at < count; at++) data.set(this.#frames[at], at * FBANK_BANDS);
    const bands = { type: 'float32', dims: [1, count, FBANK_BANDS], data } as const;
    const { outputs } = await this.#session.run({ bands }, this.#signal);
    const { overlap } = outputs;
    if (overlap?.data.length !== Math.ceil(count / STRIDE))
      throw modelMismatch(OVERLAP_CARD, 'detect overlap');
    const judged = getFloats(overlap).subarray(this.#margin / STRIDE, Math.ceil(end / STRIDE));
    const from = (this.#firstFrame + this.#margin) / STRIDE;
    this.probabilities.set(judged.subarray(0, Math.max(0, this.probabilities.length - from)), from);
  }

  #hasSpeech(firstFrame: number, endFrame: number): boolean {
    const [from, to] = [firstFrame * FRAME_SECONDS, endFrame * FRAME_SECONDS];
    return this.#regions.some(({ start, end }) => start < to && end > from);
  }
}

/**
 * Overlap that is plain: on mixtures of speakers held out in training, at this onset 87 % of what is found is overlap, and
 * 28 % of the overlap is found.
 */
const OVERLAP: SpeechRule = {
  onset: 0.7,
  offset: 0.35,
  speechSecondsMin: 0.3,
  pauseSecondsMin: 0.2,
  padSeconds: 0,
};

/** Steps with the bundled networks, and with the small segmentation: both hear the audio twice. */
export const BUNDLED_STEPS = steps({ 'finding speech': 0.5, 'comparing voices': 0.5 });

/** Steps with the hub's networks. */
export const HUB_STEPS = steps({ 'comparing voices': 1 });

const SAMPLE_RATE = 16_000;

/**
 * Tells who speaks when, as a JSON file.
 * @throws OperationError `bad_request` when the file has no audio; `unprocessable` when it is corrupt; `unavailable`
 *   when no engine can run
 */
export async function run(input: Blob, params: DiarizeParams, runtime: Runtime): Promise<RunResult> {
  const { inference, signal, progress } = runtime;
  const shape = { sampleRate: SAMPLE_RATE, channelCount: 2, secondsMax: AUDIO_SECONDS_MAX, signal } as const;
  const audio = await runtime.audio.decode(input, shape);
  const { speaker_count: speakerCount } = params;
  const options = { inference, signal, ...(speakerCount !== undefined && { speakerCount }) };
  const isHubWhole = await canUse(inference, WESPEAKER_CARD, params.engine);
  const engines = [
    ...(isHubWhole ? [hubEngine(audio, options, HUB_STEPS.of(progress))] : []),
    segmentedEngine(audio, options, BUNDLED_STEPS.of(progress)),
    bundledEngine(audio, options, BUNDLED_STEPS.of(progress)),
  ];
  const found = await runBestEngine(inference, engines, {
    engine: params.engine,
    purpose: 'distinguishes speakers',
    signal,
  });
  const speakers = new Set(found.value.map(({ speaker }) => speaker)).size;
  return {
    files: [
      {
        name: 'output.json',
        mediaType: 'application/json',
        blob: new Blob([JSON.stringify(getResult(found.value, speakers))], { type: 'application/json' }),
      },
    ],
    engine: found.engine,
    warnings: [...audio.warnings(), ...found.warnings, ...fewerSpeakers(speakers, speakerCount)],
  };
}

/** Reports whether weights besides an engine's own may be used: those on the user's own connection only by name. */
async function canUse(inference: Inference, card: WeightCard, engine: string): Promise<boolean> {
  const availability = await inference.availability(card);
  return availability !== 'unavailable' && (availability !== 'on-request' || engine !== 'auto');
}

/** Result as the specification has it: null speakers where no one speaks. */
function getResult(segments: readonly Segment[], speakers: number) {
  return {
    ok: true,
    speakers: speakers || null,
    segments: segments.map(({ speaker, start, end }) => ({
      speaker,
      start: toMilliseconds(start),
      end: toMilliseconds(end),
    })),
  };
}

function fewerSpeakers(found: number, asked: number | undefined): RunWarning[] {
  if (asked === undefined || found === 0 || found >= asked) return [];
  return [formatWarning('fewer_speakers', String(asked))];
}

function toMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

/**
 * Returns the engine of bundled networks: Silero VAD finds speech, the speaker network compares its windows, and the
 * overlap network finds where two people speak at once. The audio is decoded twice, so that memory does not grow with
 * its length.
 * @param audio mono, 16 kHz
 */
function bundledEngine(
  audio: DecodedAudio,
  options: DiarizeOptions,
  { step }: StepsOfRun<'finding speech' | 'comparing voices'>,
): ModelEngine<readonly Segment[]> {
  const { inference, signal } = options;
  return {
    id: BUNDLED_ENGINE,
    card: VAD_CARD,
    async run(session) {
      const { parts, echo, ...found } = await step('finding speech', (progress) =>
        findSpeech(audio, session, { signal, progress }),
      );
      const spoken = withWindows(parts);
      if (spoken.length === 0) return { value: [], ...found };
      const cards = [SPEAKER_CARD, OVERLAP_CARD];
      const heard = await withSessions(inference, cards, { signal }, async ([speakers, network]) => {
        const listening = spoken.map((part) => ({
          part,
          embedding: new SpeakerEmbeddings(speakers, part.windows, signal),
          overlap: new OverlapActivity(network, part.regions, signal),
        }));
        const sinks = new Map(
          listening.map(({ part, embedding, overlap }) => [part.channel, filterBank(embedding, overlap)]),
        );
        await step('comparing voices', (progress) => feedChannels(audio, sinks, progress, { echo }));
        return listening.map(({ part, embedding, overlap }) => ({
          ...part,
          embeddings: embedding.values,
          overlaps: speechRegions(overlap.probabilities, OVERLAP_SECONDS, OVERLAP),
        }));
      });
      const assigned = await assignParts(heard, signal, options.speakerCount);
      const turns = heard.map((part, at) => addOverlap(assigned[at], part.overlaps, part));
      return { value: joinParts(turns, options.speakerCount), ...found };
    },
  };
}
