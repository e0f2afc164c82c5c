import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeRelease, RELEASE_FILE, type Release } from './support/client-content.ts';

const ROOT = join(import.meta.dirname, '..');
const MANIFEST = join(ROOT, 'clients/typescript/package.json');
const CHANGELOG = join(ROOT, 'clients/CHANGELOG.md');

/**
 * `npm run release-clients -- "What has changed."`: raises the version of the clients, notes why, and records the hash
 * of their content. Then `npm run generate` carries the version on.
 */
const [words] = process.argv.slice(2);
const recorded: Release = JSON.parse(await readFile(join(ROOT, RELEASE_FILE), 'utf8'));
const current = await describeRelease(ROOT);
if (current.sha256 === recorded.sha256) {
  console.log(`The clients are those of ${recorded.version}.`);
} else if (current.version === recorded.version && !words) {
  console.error('Say what has changed: npm run release-clients -- "What has changed."');
  process.exitCode = 1;
} else {
  const version = current.version === recorded.version ? raise(recorded.version) : current.version;
  await writeFile(join(ROOT, RELEASE_FILE), `${JSON.stringify({ ...current, version }, null, 2)}\n`);
  if (version !== current.version) {
    const manifest = await readFile(MANIFEST, 'utf8');
    await writeFile(MANIFEST, manifest.replace(`"version": "${current.version}"`, `"version": "${version}"`));
    const day = new Date().toISOString().slice(0, 10);
    const changelog = await readFile(CHANGELOG, 'utf8');
    await writeFile(CHANGELOG, changelog.replace('\n## ', `\n## ${version}, ${day}\n\n- ${words}\n\n## `));
  }
  console.log(`The clients are ${version}.`);
}

/** Returns the next version. */
function raise(version: string): string {
  const [major, minor, patch] = version.split('.').map(Number);
  return [major, minor, Number(patch) + 1].join('.');
}
