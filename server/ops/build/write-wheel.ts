import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { downloadZip } from 'client-zip';

/** Time of every file in the archive, so that the same sources make the same bytes. */
const FILE_TIME = new Date('2026-01-01T00:00:00Z');
const SOURCE_NAMES: readonly string[] = ['.py', '.typed'];

/**
 * Writes the wheel of the Python client: a ZIP archive of its modules and their description, by the specification of
 * binary distributions (PEP 427). No Python is needed for it.
 * @param folder of the client, whose `darkroom` is the package
 * @param path of the wheel
 */
export async function writeWheel(folder: string, version: string, path: string): Promise<void> {
  const names = (await readdir(join(folder, 'darkroom'))).filter(isSource).toSorted();
  const modules = await Promise.all(
    names.map(async (name) => file(`darkroom/${name}`, await readFile(join(folder, 'darkroom', name)))),
  );
  const info = `darkroom-${version}.dist-info`;
  const readme = await readFile(join(folder, 'README.md'), 'utf8');
  const texts = ['LICENCE.md', 'CHANGELOG.md'].map(async (name) =>
    file(`${info}/${name}`, await readFile(join(folder, '..', name))),
  );
  const files = [
    ...modules,
    ...(await Promise.all(texts)),
    file(`${info}/METADATA`, metadata(version, readme)),
    file(
      `${info}/WHEEL`,
      'Wheel-Version: 1.0\nGenerator: darkroom\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    ),
  ];
  const record = [...files.map(recordLine), `${info}/RECORD,,`].join('\n');
  const zip = downloadZip([...files, file(`${info}/RECORD`, `${record}\n`)]);
  await writeFile(path, new Uint8Array(await zip.arrayBuffer()));
}

interface ArchiveFile {
  readonly name: string;
  readonly input: Buffer<ArrayBuffer>;
  readonly lastModified: Date;
}

function file(name: string, content: string | Uint8Array): ArchiveFile {
  return {
    name,
    input: typeof content === 'string' ? Buffer.from(content) : Buffer.from(content),
    lastModified: FILE_TIME,
  };
}

function isSource(name: string): boolean {
  return SOURCE_NAMES.includes(extname(name));
}

function metadata(version: string, readme: string): string {
  const head = [
    'Metadata-Version: 2.4',
    'Name: darkroom',
    `Version: ${version}`,
    'Summary: Client of the Darkroom API, sync and async.',
    'License: Proprietary. LICENCE.md says what holds.',
    'Classifier: License :: Other/Proprietary License',
    'License-File: LICENCE.md',
    'Classifier: Typing :: Typed',
    'Requires-Python: >=3.9',
    'Requires-Dist: httpx >=0.23',
    'Description-Content-Type: text/markdown',
  ];
  return `${head.join('\n')}\n\n${readme}`;
}

/** Returns a file's line in the record: its name, SHA-256 and bytes. */
function recordLine({ name, input }: ArchiveFile): string {
  const hash = createHash('sha256').update(input).digest('base64url');
  return `${name},sha256=${hash},${input.length}`;
}
