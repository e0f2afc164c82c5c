import { AUDIO_DIARIZE_WEIGHTS } from './audio-diarize.ts';
import { AUDIO_SEPARATE_STEMS_WEIGHTS } from './audio-separate-stems.ts';
import { IMAGE_MODERATION_WEIGHTS } from './image-moderation.ts';
import { IMAGE_OUTPAINT_WEIGHTS } from './image-outpaint.ts';
import { REMOVE_BG_WEIGHTS } from './remove-bg.ts';
import { UPSCALE_WEIGHTS } from './upscale.ts';
import type { WeightCard } from './weight-card.ts';

/** Every file of weights that the product can use. */
export const WEIGHTS: readonly WeightCard[] = [
  ...Object.values(REMOVE_BG_WEIGHTS),
  ...Object.values(UPSCALE_WEIGHTS),
  ...Object.values(AUDIO_DIARIZE_WEIGHTS),
  ...Object.values(AUDIO_SEPARATE_STEMS_WEIGHTS),
  ...Object.values(IMAGE_OUTPAINT_WEIGHTS),
  ...Object.values(IMAGE_MODERATION_WEIGHTS),
];
