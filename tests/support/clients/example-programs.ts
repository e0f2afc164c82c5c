import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { removeFolder } from '../setup/remove-folder.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const EXAMPLES = join(ROOT, 'clients/examples');
const TSX = createRequire(import.meta.url).resolve('tsx');

/** Languages by the extension of their examples, each with the programs that it needs. */
export const LANGUAGES = {
  sh: { name: 'curl', needs: ['sh', 'curl', 'openssl'], command: ['sh'] },
  ts: { name: 'TypeScript', needs: [], command: [process.execPath, '--import', TSX] },
  py: { name: 'Python', needs: ['python3'], command: ['python3', '-B'] },
} as const;
export type Language = keyof typeof LANGUAGES;

/** Returns the programs of a language that this machine lacks. */
export function missingPrograms(language: Language): readonly string[] {
  return LANGUAGES[language].needs.filter((program) => {
    const probe = program === 'sh' ? ['-c', ':'] : [program === 'openssl' ? 'version' : '--version'];
    return spawnSync(program, probe, { stdio: 'ignore' }).status !== 0;
  });
}

/** Lists the examples by their files' names: `send.sh`. */
export async function listExamples(): Promise<readonly string[]> {
  const lists = await Promise.all(
    Object.keys(LANGUAGES).map((language) => readdir(join(EXAMPLES, language))),
  );
  return lists.flat().sort();
}

/** Returns the path of an example in the folder of its language. */
const examplePath = (file: string): string => join(EXAMPLES, extname(file).slice(1), file);

export const readExample = (file: string): Promise<string> => readFile(examplePath(file), 'utf8');

export interface ExampleRun {
  readonly child: ChildProcess;
  /** Returns the text that it has written so far to both streams. */
  readonly text: () => string;
  /** Resolves with the exit code, and null after a signal. */
  readonly ended: Promise<number | null>;
}

/** A reader's folder: it has a photo, and the client installed. Examples run in it, one process each. */
export class ReaderFolder {
  readonly path: string;
  readonly #children = new Set<ChildProcess>();

  private constructor(path: string) {
    this.path = path;
  }

  static async create(photo: Uint8Array): Promise<ReaderFolder> {
    const folder = new ReaderFolder(await mkdtemp(join(tmpdir(), 'darkroom-examples-')));
    const client = join(folder.path, 'node_modules/@darkroom/client');
    await mkdir(client, { recursive: true });
    // The sources in place of what `npm run build-client` makes of them.
    const exported = { '.': 'index', './node': 'node' };
    for (const name of Object.values(exported)) {
      const source = pathToFileURL(join(ROOT, 'clients/typescript/src', `${name}.ts`));
      await writeFile(join(client, `${name}.js`), `export * from '${source}';`);
    }
    const exports = Object.fromEntries(Object.entries(exported).map(([as, name]) => [as, `./${name}.js`]));
    await writeFile(join(client, 'package.json'), JSON.stringify({ type: 'module', exports }));
    await writeFile(join(folder.path, 'package.json'), '{"type": "module"}');
    await writeFile(join(folder.path, 'photo.jpg'), photo);
    return folder;
  }

  /**
   * Starts an example.
   * @param replacements texts that stand for what only the reader has, such as `https://example.com/photo.jpg`
   * @throws Error when the example lacks one of those texts
   */
  async start(
    file: string,
    env: Readonly<Record<string, string>>,
    replacements: Readonly<Record<string, string>> = {},
  ): Promise<ExampleRun> {
    let source = await readExample(file);
    for (const [text, own] of Object.entries(replacements)) {
      if (!source.includes(text)) throw new Error(`${file} does not contain ${text}`);
      source = source.replaceAll(text, own);
    }
    // A module of the product itself stays where it is: it imports its neighbours.
    const isOwn = source.includes("from '../../");
    const path = isOwn ? examplePath(file) : join(this.path, file);
    if (!isOwn) await writeFile(path, source);
    return this.startFile(path, env);
  }

  /** Starts a file of this folder, or of another. */
  startFile(file: string, env: Readonly<Record<string, string>>): ExampleRun {
    const [program, ...args] = LANGUAGES[file.split('.').at(-1) as Language].command;
    const child = spawn(program, [...args, file], {
      cwd: this.path,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, HOME: this.path, no_proxy: '127.0.0.1', ...env },
    });
    this.#children.add(child);
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
    }
    const ended = new Promise<number | null>((end, fail) => {
      child.once('error', fail).once('close', end);
    });
    return { child, text: () => text, ended };
  }

  async remove(): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL');
    await removeFolder(this.path);
  }
}
