import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Files of the API console, by their names in its folder, and the sources that each is made of, one after the other.
 */
const SOURCES = {
  // Scalar's page for a browser. Its package declares no entry for it, so no bundler can be asked for it.
  'scalar.js': ['node_modules/@scalar/fastify-api-reference/dist/js/standalone.js'],
  'console.css': ['app/tokens.css', 'app/docs/console/console.css'],
  'sans.woff2': ['node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'],
  'mono.woff2': [
    'node_modules/@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
  ],
} as const satisfies Record<string, readonly string[]>;

/** Returns the path of the console's folder, below that of the build's static files. It changes with each build. */
const consoleFolder = (buildId: string): string => `${buildId}/console`;

/** Returns the URL path of a file of the API console. */
export function consoleFileUrl(buildId: string, name: keyof typeof SOURCES): string {
  return `/_next/static/${consoleFolder(buildId)}/${name}`;
}

/** Reads the id of a build. */
export async function readBuildId(buildDir: string): Promise<string> {
  return (await readFile(join(buildDir, 'BUILD_ID'), 'utf8')).trim();
}

/**
 * Copies the files of the API console to those of a build, to be compressed and cached like them. The script stays
 * as it is published: a bundler would only take time for it.
 * @param root folder of the project
 */
export async function copyConsole(root: string, buildDir: string): Promise<void> {
  const folder = join(buildDir, 'static', consoleFolder(await readBuildId(buildDir)));
  await mkdir(folder, { recursive: true });
  for (const [name, [first, ...others]] of Object.entries<readonly string[]>(SOURCES)) {
    if (first === undefined) continue;
    const target = join(folder, name);
    await copyFile(join(root, first), target);
    for (const source of others) await writeFile(target, await readFile(join(root, source)), { flag: 'a' });
  }
}
