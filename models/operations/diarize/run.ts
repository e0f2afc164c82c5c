import { runBestEngine } from '../../core/inference/engine-ladder.ts';
import type { RunResult } from '../../core/operation/run-result.ts';
import type { Inference } from '../../core/runtime/inference.ts';
import { formatWarning, type RunWarning } from '../../core/runtime/run-warnings.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { steps } from '../../core/runtime/steps.ts';
import type { WeightCard } from '../../core/runtime/weight-card.ts';
import { AUDIO_SECONDS_MAX } from '../../media/audio/audio-limits.ts';
import { bundledEngine } from './bundled-engine.ts';
import { hubEngine } from './hub-engine.ts';
import { WESPEAKER_CARD } from './local-segmentation.ts';
import type { DiarizeParams } from './schema.ts';
import type { Segment } from './segmentation/segment.ts';
import { segmentedEngine } from './segmented-engine.ts';

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
        blob: new Blob([JSON.stringify(resultOf(found.value, speakers))], { type: 'application/json' }),
      },
    ],
    engine: found.engine,
    warnings: [...audio.warnings(), ...found.warnings, ...fewerSpeakers(speakers, speakerCount)],
  };
}

/** Reports whether weights beside an engine's own may be used: those on the user's own connection only by name. */
async function canUse(inference: Inference, card: WeightCard, engine: string): Promise<boolean> {
  const availability = await inference.availability(card);
  return availability !== 'unavailable' && (availability !== 'on-request' || engine !== 'auto');
}

/** Result as the specification has it: null speakers where nobody speaks. */
function resultOf(segments: readonly Segment[], speakers: number) {
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
