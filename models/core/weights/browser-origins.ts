import { isRelayed, type WeightCard } from '../runtime/weight-card.ts';

/** Redirect targets of publishers that allow browsers, besides their own host: a policy has to name these too. */
const REDIRECTS: Readonly<Record<string, readonly string[]>> = {
  // Its file store, by region and kind of storage: cdn-lfs.hf.co, cas-bridge.xethub.hf.co, us.aws.cdn.hf.co, ...
  'https://huggingface.co': ['https://*.huggingface.co', 'https://*.hf.co'],
};

/** Returns the origins from which a browser may fetch weights itself, for a Content-Security-Policy. */
export function browserOrigins(weights: readonly WeightCard[]): readonly string[] {
  const published = weights
    .filter((card) => !isRelayed(card))
    .flatMap(({ url }) => {
      const [origin] = /^https:\/\/[^/]+/.exec(url ?? '') ?? [];
      return origin === undefined ? [] : [origin, ...(REDIRECTS[origin] ?? [])];
    });
  return [...new Set(published)];
}
