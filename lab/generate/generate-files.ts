import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clientFiles, readIfPresent } from './client-files.ts';
import { docTables } from './doc-tables.ts';
import { pythonFiles } from './python-files.ts';
import { weightFiles } from './weight-files.ts';

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
