import { defineOperation } from '../../core/operation/define-operation.ts';
import { billableSeconds } from '../../core/operation/money.ts';
import {
  AUDIO_BYTES_MAX,
  AUDIO_INPUT,
  AUDIO_SECONDS_MAX,
  probeAudioInput,
} from '../../media/audio/read/probe-audio.ts';
import { STEM_ENGINES } from './engines.ts';
import { paramsSchema } from './schema.ts';
import { STEM_NAMES } from './stems.ts';
import { AUDIO_SEPARATE_STEMS_WEIGHTS } from './weights.ts';

/**
 * Time limit of a run: for its start, and for each second of audio. HTDemucs takes up to 3 s a second on two slow
 * cores.
 */
const BASE_SECONDS = 180;
const RUN_SECONDS_PER_SECOND = 4;
/** Memory of a run besides the largest model: segments of spectra, encoders and the process itself. */
const OWN_BYTES = 700_000_000;
const MODEL_BYTES = 3_000_000_000;
/** Memory of a run on a device besides the model: chunks of all stems, spectra and encoders. */
const DEVICE_BYTES = 300_000_000;
/**
 * SI-SDR that an engine must reach, in dB. The mixture itself has -5.0, and our own network 1.7: 2.1 and 11.5 for
 * vocals and drums, and -8.3 for the rest, which is 15 dB below the mixture. One with the 6.9 and 6.7 dB of Spleeter's
 * paper, and no better at that rest, has 2.6.
 */
const STEMS_FLOOR = 1;
/** Frequency of the first stem of a test result: A3. The others are its multiples. */
const TEST_HERTZ = 220;

export const audioSeparateStems = defineOperation({
  id: 'audio-separate-stems',
  title: 'Split stems',
  summary: 'Splits music into vocals and the rest, or into vocals, drums, bass and the rest.',
  path: '/audio-tools/v1/separate-stems',
  authentication: 'subscription-key',
  inputs: AUDIO_INPUT,
  params: paramsSchema,
  acceptance: {
    measure: 'SI-SDR',
    per: 'second',
    floor: STEMS_FLOOR,
    load: () => import('../../acceptance/stems.ts'),
  },
  engines: STEM_ENGINES,
  deviceNeeds: () => ({ memoryBytes: DEVICE_BYTES }),
  lane: 'long',
  limits: {
    inputBytesMax: AUDIO_BYTES_MAX,
    runSecondsMax: BASE_SECONDS + RUN_SECONDS_PER_SECOND * AUDIO_SECONDS_MAX,
    memoryBytesMax: OWN_BYTES + MODEL_BYTES,
  },
  probe: probeAudioInput,
  limitsFor: (facts, _params, modelBytesMax) => ({
    runSecondsMax: BASE_SECONDS + RUN_SECONDS_PER_SECOND * billableSeconds(facts.durationSeconds),
    memoryBytesMax: OWN_BYTES + Math.min(MODEL_BYTES, modelBytesMax),
  }),
  rates: { second: { amount: 5_000n, per: 'started second of audio' } },
  price: (facts, _params, { second }) => second * BigInt(billableSeconds(facts.durationSeconds)),
  outputCount: ({ stems }) => STEM_NAMES[stems].length,
  command: { name: 'stems', earlierNames: ['separate-stems'], suffix: '', first: 'vocals' },
  weights: Object.values(AUDIO_SEPARATE_STEMS_WEIGHTS),
  testResult: ({ durationSeconds }, { stems, output_format: format }) => ({
    files: STEM_NAMES[stems].map((stem, at) => ({
      kind: 'audio',
      name: `${stem}.${format}`,
      format,
      durationSeconds,
      hertz: TEST_HERTZ * (at + 1),
    })),
  }),
  load: () => import('./run.ts'),
});
