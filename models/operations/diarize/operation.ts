import { defineOperation } from '../../core/operation/define-operation.ts';
import { billableSeconds } from '../../core/operation/money.ts';
import {
  AUDIO_BYTES_MAX,
  AUDIO_INPUT,
  AUDIO_SECONDS_MAX,
  probeAudioInput,
} from '../../media/audio/read/probe-audio.ts';
import { BUNDLED_ENGINE, DIARIZE_ENGINE_LIST, SEGMENTED_ENGINE } from './engines.ts';
import { paramsSchema } from './schema.ts';
import { AUDIO_DIARIZE_WEIGHTS } from './weights.ts';

/** Time limit of a run: for its start, and for each second of audio. */
const BASE_SECONDS = 120;
const RUN_SECONDS_PER_SECOND = 0.25;
/** Speakers of a test result whose request names no number, and turns of each. */
const TEST_SPEAKERS = 2;
const TEST_TURNS = 2;

export const audioDiarize = defineOperation({
  id: 'audio-diarize',
  title: 'Who spoke when',
  summary: 'Tells who speaks when in a recording, as a JSON timeline.',
  path: '/audio-tools/v1/diarize',
  authentication: 'subscription-key',
  inputs: AUDIO_INPUT,
  params: paramsSchema,
  acceptance: {
    measure: 'DER',
    lowerIsBetter: true,
    per: 'second',
    floor: 0.2,
    // Without overlap, which is the segmentation's part, it reaches 0.06.
    floors: { [BUNDLED_ENGINE]: 0.08, [SEGMENTED_ENGINE]: 0.045 },
    load: () => import('./measure-speakers.ts'),
  },
  engineList: DIARIZE_ENGINE_LIST,
  lane: 'long',
  limits: {
    inputBytesMax: AUDIO_BYTES_MAX,
    runSecondsMax: BASE_SECONDS + RUN_SECONDS_PER_SECOND * AUDIO_SECONDS_MAX,
    memoryBytesMax: 900_000_000,
  },
  probe: probeAudioInput,
  limitsFor: (facts) => ({
    runSecondsMax: BASE_SECONDS + RUN_SECONDS_PER_SECOND * billableSeconds(facts.durationSeconds),
  }),
  rates: { second: { amount: 5_000n, per: 'started second of audio' } },
  price: (facts, _params, { second }) => second * BigInt(billableSeconds(facts.durationSeconds)),
  command: { name: 'diarize', earlierNames: ['who-spoke'], suffix: '-who-spoke', extension: 'json' },
  weights: Object.values(AUDIO_DIARIZE_WEIGHTS),
  testResult: ({ durationSeconds }, { speaker_count = TEST_SPEAKERS }) => ({
    files: [{ kind: 'json', name: 'output.json', content: alternateTurns(durationSeconds, speaker_count) }],
  }),
  load: () => import('./run.ts'),
});

/** Describes a recording in which the speakers take equal turns, for a test key. */
function alternateTurns(durationSeconds: number, speakers: number) {
  const turnCount = speakers * TEST_TURNS;
  const at = (turn: number) => Math.round((durationSeconds * 1000 * turn) / turnCount) / 1000;
  const segments = Array.from({ length: turnCount }, (_, turn) => ({
    speaker: turn % speakers,
    start: at(turn),
    end: at(turn + 1),
  }));
  return { ok: true, speakers, segments };
}
