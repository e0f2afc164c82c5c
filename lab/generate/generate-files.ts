import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { browserOrigins } from '../../models/core/inference/weight-source.ts';
import { type WeightCard, weightFileName } from '../../models/core/runtime/weight-card.ts';
import { WEIGHTS } from '../../models/registry.ts';
import { clientFiles, readIfPresent } from './client-files.ts';
import { docTables } from './doc-tables.ts';
import { pythonFiles } from './python-files.ts';

const NOTICE = "// Written by `npm run generate` from the weights' cards. Do not edit.\n";

/** Writes the generated files whose content has changed. @param root folder of the project */
export async function writeGeneratedFiles(root: string): Promise<void> {
  for (const [path, text] of Object.entries(await generateFiles(root))) {
    const file = join(root, path);
    // A file that stays as it is keeps its time, so that no build or check of types runs for it.
    if ((await readIfPresent(file)) !== text) await writeFile(file, text);
  }
}

/** Returns all generated files by their path below the root. */
export async function generateFiles(root: string): Promise<Readonly<Record<string, string>>> {
  return {
    ...(await clientFiles(root)),
    ...(await pythonFiles(root)),
    ...weightFiles(),
    ...(await docTables(root)),
  };
}

/** Returns the generated files about weights by their path. */
function weightFiles(): Readonly<Record<string, string>> {
  return {
    'workers/runtime/bundled-weights.ts': NOTICE + bundledWeights(),
    'app/security/weight-origins.ts': NOTICE + weightOrigins(),
  };
}

/** Writes the URLs of bundled files, each in the one form that a bundler finds. */
function bundledWeights(): string {
  const lines = WEIGHTS.filter(({ url }) => url === null).map((card) => {
    const name = weightFileName(card);
    return `  '${name}': asset(new URL('../../models/weights/${name}', import.meta.url), ${getBytes(card)}),`;
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
