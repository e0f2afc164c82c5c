import { type Engine, type EngineRun, runBestEngine } from '../../core/inference/engine-ladder.ts';
import { withSessions } from '../../core/inference/sessions.ts';
import type { OutputFile, RunResult } from '../../core/operation/run-result.ts';
import {
  AUDIO_MEDIA_TYPES,
  type AudioFormat,
  type DecodedAudio,
  getFrameCount,
  type PcmChunk,
} from '../../core/runtime/audio-codec.ts';
import { type ReportProgress, steps } from '../../core/runtime/progress.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import type { WeightCard } from '../../core/runtime/weight-card.ts';
import { lowerLoudAudio } from '../../media/audio/lower-loud-audio.ts';
import { minuteProgress } from '../../media/audio/minute-progress.ts';
import { AUDIO_SECONDS_MAX } from '../../media/audio/read/probe-audio.ts';
import { ClassicalMasker } from './classical-masker.ts';
import { DemucsStems, measureLevel } from './demucs-stems.ts';
import { MEDIAN_FILTER, SPLEETER_ENGINE } from './engines.ts';
import { type Masker, maskedStems } from './masked-stems.ts';
import { ChromaMeter, findKey, TempoMeter } from './music.ts';
import { NetworkMasker, STEMS_CARD } from './network-masker.ts';
import { fanOut, ReaderStopped } from './sample-queue.ts';
import type { SeparateStemsParams } from './schema.ts';
import type { SongFacts } from './song-facts.ts';
import { SPLEETER_CARDS, SpleeterMasker } from './spleeter-masker.ts';
import { completeStems, type SeparatedChunk, STEM_NAMES, STEM_RATE } from './stems.ts';
import { AUDIO_SEPARATE_STEMS_WEIGHTS } from './weights.ts';

/** Measures key and tempo of a song that comes in chunks. Memory is 100 numbers for each second. */
export class SongMeter {
  readonly #chroma: ChromaMeter;
  readonly #tempo: TempoMeter;

  /** @param sampleRate in Hz */
  constructor(sampleRate: number) {
    this.#chroma = new ChromaMeter(sampleRate);
    this.#tempo = new TempoMeter(sampleRate);
  }

  add(chunk: PcmChunk): void {
    const [first] = chunk;
    if (!first) return;
    for (let at = 0; at < first.length; at++) {
      let sum = 0;
      for (const channel of chunk) sum += channel[at];
      const sample = sum / chunk.length;
      this.#chroma.add(sample);
      this.#tempo.add(sample);
    }
  }

  finish(): SongFacts {
    const chroma = this.#chroma.finish();
    const tempo = this.#tempo.finish();
    return { tempoBpm: tempo === null ? null : Math.round(tempo), key: chroma && findKey(chroma) };
  }
}

/** Steps of any run. Only audio that may be too loud has the first one. */
export const STEPS = steps({ 'measuring the loudness': 0.03, separating: 0.97 });

/** Steps of separating with HTDemucs, which needs the level of the whole track. */
export const DEMUCS_STEPS = steps({ 'measuring the level': 0.05, separating: 0.95 });

/** Files of the stems, with the facts of the song. */
interface Separated {
  readonly files: readonly OutputFile[];
  readonly song: SongFacts;
}

/**
 * Separates music into stems, one file each.
 * @throws OperationError `bad_request` when the file has no audio; `unprocessable` when it is corrupt; `unavailable`
 *   when the engine asked for cannot run
 */
export async function run(input: Blob, params: SeparateStemsParams, runtime: Runtime): Promise<RunResult> {
  const { inference, signal } = runtime;
  const { span } = STEPS.of(runtime.progress);
  const shape = { sampleRate: STEM_RATE, channelCount: 2, secondsMax: AUDIO_SECONDS_MAX, signal } as const;
  const decoded = await runtime.audio.decode(input, shape);
  const { audio, warnings: lowered } = await lowerLoudAudio(decoded, signal, span('measuring the loudness'));
  const names = STEM_NAMES[params.stems];
  const write: EngineOptions['write'] = async (separated, progress) => {
    const meter = new SongMeter(STEM_RATE);
    const stems = completed(separated, audio, meter, progress);
    const files = await writeStems(stems, names, params.output_format, runtime);
    return { files, song: meter.finish() };
  };
  const onProgress = span('separating');
  // The opening of a model belongs to this step.
  onProgress({ fraction: 0 });
  const options = { audio, params, runtime, write, onProgress };
  const engines = [
    demucsEngine(AUDIO_SEPARATE_STEMS_WEIGHTS['htdemucs-fp16'], options),
    demucsEngine(AUDIO_SEPARATE_STEMS_WEIGHTS.htdemucs, options),
    ...maskEngines(options),
  ];
  const { value, engine, warnings } = await runBestEngine(inference, engines, {
    engine: params.engine,
    purpose: 'separates stems',
    signal,
  });
  const { tempoBpm, key } = value.song;
  return {
    files: value.files,
    engine,
    warnings: [...audio.warnings(), ...lowered, ...warnings],
    // For the studio: the response does not have them.
    details: { tempo_bpm: tempoBpm, key },
  };
}

/** Recording and request of an engine, and how its result is written. */
interface EngineOptions {
  readonly audio: DecodedAudio;
  readonly params: SeparateStemsParams;
  readonly runtime: Runtime;
  readonly write: (separated: AsyncIterable<SeparatedChunk>, progress: ReportProgress) => Promise<Separated>;
  /** Receives the progress of separating alone. */
  readonly onProgress: ReportProgress;
}

function demucsEngine(
  card: WeightCard,
  { audio, params, runtime, write, onProgress }: EngineOptions,
): Engine<Separated> {
  return {
    id: card.id,
    card,
    async run(session) {
      const { step } = DEMUCS_STEPS.of(onProgress);
      const level = await step('measuring the level', (progress) =>
        measureLevel(audio, minuteProgress(audio, progress)),
      );
      const stems = new DemucsStems(session, runtime.signal);
      const value = await step('separating', (progress) =>
        write(stems.separate(audio, level, STEM_NAMES[params.stems].length - 1), progress),
      );
      return { value, provider: stems.provider, notices: [...stems.notices] };
    },
  };
}

/** Returns the engines that mask the spectrum, best first. */
function maskEngines({
  audio,
  params,
  runtime,
  write,
  onProgress,
}: EngineOptions): readonly Engine<Separated>[] {
  const { inference, signal } = runtime;
  const writeMasked = (masker: Masker) =>
    write(maskedStems(audio, masker, STEM_NAMES[params.stems].length - 1, signal), onProgress);
  const writeByModel = async (masker: SpleeterMasker | NetworkMasker): Promise<EngineRun<Separated>> => {
    const value = await writeMasked(masker);
    const { provider, notices } = masker;
    return { value, ...(provider && { provider }), notices: [...notices] };
  };
  return [
    {
      id: SPLEETER_ENGINE,
      cards: SPLEETER_CARDS,
      run: () =>
        withSessions(inference, SPLEETER_CARDS, { signal }, (sessions) =>
          writeByModel(new SpleeterMasker(sessions, signal)),
        ),
    },
    {
      id: STEMS_CARD.id,
      card: STEMS_CARD,
      run: (session) => writeByModel(new NetworkMasker(session, signal)),
    },
    {
      id: MEDIAN_FILTER,
      card: null,
      run: async () => ({ value: await writeMasked(new ClassicalMasker()) }),
    },
  ];
}

/** Completes each stretch by its last stem, measures the song, and reports the minutes done. */
async function* completed(
  separated: AsyncIterable<SeparatedChunk>,
  audio: DecodedAudio,
  meter: SongMeter,
  progress: ReportProgress,
): AsyncGenerator<readonly PcmChunk[]> {
  const report = minuteProgress(audio, progress);
  let frames = 0;
  for await (const stretch of separated) {
    frames += getFrameCount(stretch.mixture);
    meter.add(stretch.mixture);
    yield completeStems(stretch);
    report(frames);
  }
}

/** Encodes all stems at once, each as a file of its name. */
async function writeStems(
  stretches: AsyncIterable<readonly PcmChunk[]>,
  names: readonly string[],
  format: AudioFormat,
  { audio, signal }: Pick<Runtime, 'audio' | 'signal'>,
): Promise<OutputFile[]> {
  const channelCount: DecodedAudio['channelCount'] = 2;
  const encoding = fanOut(stretches, names.length).map((chunks) =>
    audio.encode(chunks, { format, sampleRate: STEM_RATE, channelCount, signal }),
  );
  const faults = (await Promise.allSettled(encoding)).filter((each) => each.status === 'rejected');
  const first = faults.find(({ reason }) => !(reason instanceof ReaderStopped)) ?? faults[0];
  if (first) throw first.reason;
  const blobs = await Promise.all(encoding);
  return blobs.map((blob, at) => ({
    name: `${names[at]}.${format}`,
    mediaType: AUDIO_MEDIA_TYPES[format],
    blob: blob.slice(0, blob.size, AUDIO_MEDIA_TYPES[format]),
  }));
}
