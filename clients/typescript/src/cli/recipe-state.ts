import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { UsageError } from './exit-codes.ts';
import { inputName, isUrl } from './files.ts';
import type { Recipe } from './target.ts';

/** File in the folder of results that says what is complete. */
const STATE_FILE = '.darkroom-run.json';
const VERSION = 1;

/** State of an input. */
interface Entry {
  /** Beginning of the names of its results. */
  readonly name: string;
  /** Idempotency-Key of its request. */
  readonly key?: string;
  /** Hash of the recipe that completed it, and of that input. */
  readonly recipe?: string;
  readonly input?: string;
  readonly outputs?: readonly SavedFile[];
}

interface SavedFile {
  /** Name within the folder. */
  readonly file: string;
  readonly bytes: number;
}

/** State of a run over files, which the folder of its results keeps. */
export class RunState {
  readonly #folder: string;
  readonly #recipe: string;
  readonly #steps: readonly string[];
  readonly #entries: Map<string, Entry>;
  /** Inputs whose entries this call has changed. */
  readonly #changed = new Set<string>();
  /** Inputs by the names of the results that they have got in this call. */
  readonly #named = new Map<string, string>();
  #writing: Promise<void> = Promise.resolve();

  private constructor(folder: string, recipe: Recipe, entries: Map<string, Entry>) {
    this.#folder = folder;
    this.#recipe = hash(JSON.stringify(recipe));
    this.#steps = listStepIds(recipe);
    this.#entries = entries;
  }

  /** Opens the state of a folder, which may be new. @throws UsageError where it cannot be read */
  static async open(folder: string, recipe: Recipe): Promise<RunState> {
    return new RunState(folder, recipe, await readEntries(folder));
  }

  /** Reports whether a file is a result of an earlier run. */
  isResult(input: string): boolean {
    if (isUrl(input)) return false;
    const file = relative(this.#folder, input);
    return this.#saved().some((saved) => saved.file === file);
  }

  /** Reports whether all results of an input are here, by this recipe and of its bytes. */
  async isComplete(input: string): Promise<boolean> {
    const { outputs, recipe, input: known } = this.#entries.get(this.#id(input)) ?? {};
    if (!outputs || recipe !== this.#recipe || known !== (await describeInput(input))) return false;
    const sizes = await Promise.all(outputs.map(({ file }) => getSize(join(this.#folder, file))));
    return !sizes.includes(undefined);
  }

  /** Names an input: what its results begin with, which those of no other input do. */
  name(input: string): string {
    const known = this.#entries.get(this.#id(input));
    if (known) return known.name;
    const taken = new Set([...this.#entries.values()].flatMap((entry) => this.#claimed(entry.name)));
    const file = inputName(input);
    const extension = extname(file);
    const stem = file.slice(0, file.length - extension.length) || 'result';
    const candidates = [stem, `${stem}-${extension.slice(1)}`];
    for (let number = 2; ; number++) {
      const name = candidates.shift() ?? `${stem}-${number}`;
      if (this.#claimed(name).some((each) => taken.has(each))) continue;
      this.#entries.set(this.#id(input), { name });
      return name;
    }
  }

  /** Returns the Idempotency-Key with which an earlier run has sent an input. */
  earlierKey(input: string): string | undefined {
    return this.#entries.get(this.#id(input))?.key;
  }

  /** Keeps the Idempotency-Key of an input, before it is sent. */
  async begin(input: string, key: string): Promise<void> {
    await this.#put(input, (entry) => ({ ...entry, key }));
  }

  /**
   * Returns names for the results of an input, none of which is another result's: two inputs may end at the same time.
   * @throws Error for an existing file that no run has made, or that has changed since
   */
  async claim(
    input: string,
    files: readonly string[],
    { force }: { readonly force: boolean },
  ): Promise<readonly string[]> {
    const id = this.#id(input);
    const others = [...this.#entries].filter(([other]) => other !== id);
    const named = [...this.#named].flatMap(([file, other]) => (other === id ? [] : file));
    const taken = new Set([
      ...others.flatMap(([, { outputs = [] }]) => outputs.map((each) => fold(each.file))),
      ...named,
    ]);
    const free = files.map((file) => {
      const extension = extname(file);
      let name = file;
      for (let number = 2; taken.has(fold(name)); number++) {
        name = `${file.slice(0, file.length - extension.length)}-${number}${extension}`;
      }
      taken.add(fold(name));
      this.#named.set(fold(name), id);
      return name;
    });
    if (!force) await Promise.all(free.map((name) => this.assertFree(name)));
    return free;
  }

  /** @throws Error for an existing file that no run has made, or that has changed since */
  async assertFree(file: string): Promise<void> {
    const size = await getSize(join(this.#folder, file));
    const own = this.#saved().find((saved) => saved.file === file);
    if (size === undefined || own?.bytes === size) return;
    throw new Error(
      `${join(this.#folder, file)} exists, and is not from this run. Choose another --out, or overwrite it with --force.`,
    );
  }

  /** Keeps that the results of an input are here. */
  async complete(input: string, files: readonly string[]): Promise<void> {
    const outputs = await Promise.all(
      files.map(async (file) => ({ file, bytes: (await getSize(join(this.#folder, file))) ?? 0 })),
    );
    const state = { recipe: this.#recipe, input: await describeInput(input), outputs };
    await this.#put(input, ({ name }) => ({ name, ...state }));
  }

  /** Forgets the request of an input that has failed, so that the next run tries it again. */
  async fail(input: string): Promise<void> {
    await this.#put(input, ({ key: _, ...entry }) => entry);
  }

  #saved(): SavedFile[] {
    return [...this.#entries.values()].flatMap(({ outputs = [] }) => outputs);
  }

  /** Lists the beginnings of the names of results that an input's name takes. */
  #claimed(name: string): string[] {
    return this.#steps.length > 0 ? this.#steps.map((id) => fold(`${name}-${id}`)) : [fold(name)];
  }

  #id(input: string): string {
    return isUrl(input) ? input : relative(this.#folder, input).split(sep).join('/');
  }

  async #put(input: string, change: (entry: Entry) => Entry): Promise<void> {
    const name = this.name(input);
    const id = this.#id(input);
    this.#entries.set(id, change(this.#entries.get(id) ?? { name }));
    this.#changed.add(id);
    // One after the other: the last one has all.
    this.#writing = this.#writing.catch(() => {}).then(() => this.#write());
    await this.#writing;
  }

  async #write(): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const part = join(this.#folder, `${STATE_FILE}.${randomBytes(6).toString('hex')}`);
    try {
      // Another call may work in the same folder: what it has completed stays.
      for (const [id, entry] of await readEntries(this.#folder)) {
        if (!this.#changed.has(id)) this.#entries.set(id, entry);
      }
      const state = { version: VERSION, files: Object.fromEntries(this.#entries) };
      await writeFile(part, `${JSON.stringify(state, null, 1)}\n`, { flag: 'wx' });
      await rename(part, join(this.#folder, STATE_FILE));
    } finally {
      await rm(part, { force: true });
    }
  }
}

/** @throws UsageError where the state of a folder cannot be read */
async function readEntries(folder: string): Promise<Map<string, Entry>> {
  const path = join(folder, STATE_FILE);
  const text = await readFile(path, 'utf8').catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'ENOENT') return undefined;
    throw new UsageError(`--out: ${thrown.message}`, { cause: thrown });
  });
  return text === undefined ? new Map() : parseEntries(path, text);
}

function parseEntries(path: string, text: string): Map<string, Entry> {
  try {
    const { version, files } = JSON.parse(text) as { version?: unknown; files?: Record<string, Entry> };
    if (version === VERSION && typeof files === 'object' && files !== null)
      return new Map(Object.entries(files));
  } catch {
    // Reported below.
  }
  throw new UsageError(`${path}: is damaged, or of another version. Delete it to begin again.`);
}

/** Returns the ids of the steps of a recipe; none where the service has them. */
function listStepIds({ steps }: Recipe): string[] {
  return Array.isArray(steps) ? steps.map((step) => String(Object(step).id)) : [];
}

/** Describes the bytes of an input as far as the file system tells them. */
async function describeInput(input: string): Promise<string> {
  if (isUrl(input)) return '';
  const { size, mtimeMs } = await stat(input);
  return `${size} ${Math.round(mtimeMs)}`;
}

async function getSize(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.size;
}

/** Returns a name as file systems compare names that ignore case. */
function fold(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
