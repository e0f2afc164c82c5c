import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Terminal } from './terminal.ts';

/** Name of standard input and output, as input and as `--out`. */
export const STANDARD = '-';

/** Standard input as a file. */
export interface StoredInput {
  readonly path: string;
  remove(): Promise<void>;
}

/** Stores standard input in a temporary file, which its caller removes: a run may read it more than once. */
export async function storeInput({
  input,
  signal,
}: Pick<Terminal, 'input' | 'signal'>): Promise<StoredInput> {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-input-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const path = join(folder, 'stdin');
  try {
    await pipeline(input(), createWriteStream(path), { signal });
  } catch (thrown) {
    await remove();
    throw thrown;
  }
  return { path, remove };
}
