import { clientFiles } from './client-files.ts';
import { docTables } from './doc-tables.ts';
import { pythonFiles } from './python-files.ts';
import { weightFiles } from './weight-files.ts';

/** Returns all files that `npm run generate` writes, by their path below the root. */
export async function generateFiles(root: string): Promise<Readonly<Record<string, string>>> {
  return { ...(await clientFiles()), ...pythonFiles(), ...weightFiles(), ...(await docTables(root)) };
}
