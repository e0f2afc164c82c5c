import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folder of the packages below `public`, and their path on the service. */
export const CLIENTS_PATH = 'docs/clients';

/** Names of the files that install the clients. */
export interface ClientPackages {
  /** For npm. */
  readonly typescript: string;
  /** For pip. */
  readonly python: string;
}

/** Returns the names of the packages: all have the version of the project. */
export function nameClientPackages(version: string): ClientPackages {
  return { typescript: `darkroom-client-${version}.tgz`, python: `darkroom-${version}-py3-none-any.whl` };
}

/** Reads the version of the project. @param root folder of the project */
export function readProjectVersion(root: string): string {
  return String(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version);
}
