import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Explicit compile hint of V8: it then compiles the functions of a script while the script arrives, on a thread of its
 * own. Without it the main thread parses each function a second time when the page calls it first, which is most of
 * what holds a page up as it opens. Other browsers read a comment.
 */
const HINT = '//# allFunctionsCalledOnLoad\n';

const MANIFEST = /_client-reference-manifest\.js$/;
/** Scripts of the components that a page loads by `next/dynamic`, such as its tool. */
const DYNAMIC_MANIFEST = /react-loadable-manifest\.json$/;
const ENTRY_FILES = /"entryJSFiles":(\{[^}]*\})/;

/**
 * Adds a compile hint to the scripts that pages load as they open. Scripts that pages load later get none: much of such
 * a script may never be called.
 * @param buildDir Next's build folder
 * @returns the names of these scripts, in the build folder
 * @throws Error when Next's manifests name no script of a page
 */
export async function hintCompilation(buildDir: string): Promise<readonly string[]> {
  const { rootMainFiles } = JSON.parse(await readFile(join(buildDir, 'build-manifest.json'), 'utf8'));
  const pages = join(buildDir, 'server/app');
  const names = [
    ...new Set<string>([...rootMainFiles, ...(await entryFiles(pages)), ...(await dynamicFiles(pages))]),
  ];
  await Promise.all(names.map((name) => addHint(join(buildDir, name))));
  return names;
}

/** Returns the scripts that Next's manifests name for the entry of each page. */
async function entryFiles(folder: string): Promise<readonly string[]> {
  const manifests = (await readdir(folder, { recursive: true })).filter((name) => MANIFEST.test(name));
  const files = manifests.map(async (name) => {
    const [, entries = '{}'] = (await readFile(join(folder, name), 'utf8')).match(ENTRY_FILES) ?? [];
    return Object.values<string[]>(JSON.parse(entries)).flat();
  });
  const entries = (await Promise.all(files)).flat();
  if (entries.length === 0) throw new Error(`No manifest below ${folder} names the scripts of a page.`);
  return entries;
}

/** Returns the scripts that Next's manifests name for the dynamic components of each page. */
async function dynamicFiles(folder: string): Promise<readonly string[]> {
  const manifests = (await readdir(folder, { recursive: true })).filter((name) =>
    DYNAMIC_MANIFEST.test(name),
  );
  const files = manifests.map(async (name) => {
    const components: Readonly<Record<string, { readonly files: readonly string[] }>> = JSON.parse(
      await readFile(join(folder, name), 'utf8'),
    );
    return Object.values(components).flatMap((component) => component.files);
  });
  return (await Promise.all(files)).flat().filter((name) => name.endsWith('.js'));
}

/** Adds the hint to a script, once. */
async function addHint(path: string): Promise<void> {
  const source = await readFile(path, 'utf8');
  if (source.startsWith(HINT)) return;
  // Whole or not at all: a build may be broken off, and the next one continues it.
  await writeFile(`${path}.part`, HINT + source);
  await rename(`${path}.part`, path);
}
