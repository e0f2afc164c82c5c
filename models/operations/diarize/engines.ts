import type { OperationEngine } from '../../core/runtime/fit.ts';
import { AUDIO_DIARIZE_WEIGHTS as CARDS } from './weights.ts';

/** Engine of the hub's networks, which the segmentation names. */
export const HUB_ENGINE: string = CARDS['pyannote-segmentation-3.0'].id;

/** Engine of the small segmentation with the bundled networks, which the segmentation names. */
export const SEGMENTED_ENGINE: string = CARDS['pyannote-segmentation-3.0-int8'].id;

/** Engine of the bundled networks. */
export const BUNDLED_ENGINE = 'silero-speakers';

/** Engines that a request may name with all of their files, best first. */
export const DIARIZE_ENGINE_LIST: readonly OperationEngine[] = [
  {
    id: HUB_ENGINE,
    name: 'pyannote',
    card: CARDS['pyannote-segmentation-3.0'],
    companions: [CARDS['wespeaker-resnet34-lm']],
    areOpenAtOnce: true,
  },
  {
    id: SEGMENTED_ENGINE,
    name: 'pyannote, small',
    card: CARDS['pyannote-segmentation-3.0-int8'],
    companions: [CARDS['silero-vad'], CARDS.speakers],
    areOpenAtOnce: true,
  },
  {
    id: BUNDLED_ENGINE,
    name: 'Silero and Darkroom',
    card: CARDS['silero-vad'],
    companions: [CARDS.speakers, CARDS.overlap],
    areOpenAtOnce: true,
  },
];

/** Engines that a request may name, best first. */
export const DIARIZE_ENGINES: readonly string[] = DIARIZE_ENGINE_LIST.map(({ id }) => id);
