import type { WeightCard } from '../runtime/weight-card.ts';
import { AUDIO_DIARIZE_WEIGHTS } from './audio-diarize.ts';
import { AUDIO_SEPARATE_STEMS_WEIGHTS } from './audio-separate-stems.ts';
import { IMAGE_MODERATION_WEIGHTS } from './image-moderation.ts';
import { IMAGE_OUTPAINT_WEIGHTS } from './image-outpaint.ts';
import { REMOVE_BG_WEIGHTS } from './remove-bg.ts';
import { UPSCALE_WEIGHTS } from './upscale.ts';

/** All weight files that the product can use. */
export const WEIGHTS: readonly WeightCard[] = [
  ...Object.values(REMOVE_BG_WEIGHTS),
  ...Object.values(UPSCALE_WEIGHTS),
  ...Object.values(AUDIO_DIARIZE_WEIGHTS),
  ...Object.values(AUDIO_SEPARATE_STEMS_WEIGHTS),
  ...Object.values(IMAGE_OUTPAINT_WEIGHTS),
  ...Object.values(IMAGE_MODERATION_WEIGHTS),
];

/** Redirect targets of publishers that allow browsers, besides their own host: a policy has to name these too. */
const REDIRECTS: Readonly<Record<string, readonly string[]>> = {
  // Its file store, by region and kind of storage: cdn-lfs.hf.co, cas-bridge.xethub.hf.co, us.aws.cdn.hf.co, ...
  'https://huggingface.co': ['https://*.huggingface.co', 'https://*.hf.co'],
};

/** Returns the origins from which a browser may fetch weights itself, for a Content-Security-Policy. */
export function browserOrigins(): readonly string[] {
  const published = WEIGHTS.filter(({ needsRelay }) => !needsRelay).flatMap(({ url }) => {
    const [origin] = /^https:\/\/[^/]+/.exec(url ?? '') ?? [];
    return origin === undefined ? [] : [origin, ...(REDIRECTS[origin] ?? [])];
  });
  return [...new Set(published)];
}
