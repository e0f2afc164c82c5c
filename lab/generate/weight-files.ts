import { type WeightCard, weightFileName } from '../../models/core/runtime/weight-card.ts';
import { browserOrigins } from '../../models/core/weights/source.ts';
import { WEIGHTS } from '../../models/registry.ts';

const NOTICE = "// Written by `npm run generate` from the weights' cards. Do not edit.\n";

/** Returns the generated files about weights by their path. */
export function weightFiles(): Readonly<Record<string, string>> {
  return {
    'workers/runtime/loading/bundled-weights.ts': NOTICE + bundledWeights(),
    'app/security/weight-origins.ts': NOTICE + weightOrigins(),
  };
}

/** Writes the URLs of bundled files, each in the one form that a bundler finds. */
function bundledWeights(): string {
  const lines = WEIGHTS.filter(({ url }) => url === null).map((card) => {
    const name = weightFileName(card);
    return `  '${name}': asset(new URL('../../../models/weights/${name}', import.meta.url), ${getBytes(card)}),`;
  });
  return `import { type Asset, asset } from './assets.ts';

/** Weights that ship with the page, by file name. */
export const BUNDLED_WEIGHTS: Readonly<Record<string, Asset>> = {
${lines.toSorted().join('\n')}
};
`;
}

function getBytes({ id, bytes }: WeightCard): number {
  if (bytes === null) throw new Error(`${id}: the card of a bundled file must state its size`);
  return bytes;
}

function weightOrigins(): string {
  const lines = browserOrigins(WEIGHTS).map((origin) => `  '${origin}',`);
  return `
/** Origins from which a browser may fetch weights itself. */
export const WEIGHT_ORIGINS: readonly string[] = [
${lines.join('\n')}
];
`;
}
