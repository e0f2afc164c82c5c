import { AUDIO_DIARIZE_WEIGHTS } from './weights.ts';

/** Engine of the hub's networks, which the segmentation names. */
export const HUB_ENGINE: string = AUDIO_DIARIZE_WEIGHTS['pyannote-segmentation-3.0'].id;

/** Engine of the bundled networks. */
export const BUNDLED_ENGINE = 'silero-speakers';

/** Engines that a request may name, best first. */
export const DIARIZE_ENGINES: readonly string[] = [HUB_ENGINE, BUNDLED_ENGINE];
