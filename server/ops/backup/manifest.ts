import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { z } from 'zod';

const manifestSchema = z.object({
  format: z.literal(1),
  createdAt: z.iso.datetime(),
  /** Migrations that made the tables: the baseline, then hashes. In backups of version 0.1.0 hashes alone. */
  migrations: z.array(z.string()),
  tables: z.array(
    z.object({ name: z.string().regex(/^[a-z_]+$/), sha256: z.string(), bytes: z.number().int().min(0) }),
  ),
});

/** Content of a backup. `sha256` and `bytes` are those of a table's compressed file. */
export type Manifest = z.infer<typeof manifestSchema>;

export const MANIFEST_FILE = 'manifest.json';

/** Returns the path of a table's file in a backup. */
export function tableFile(folder: string, table: string): string {
  return join(folder, `${table}.jsonl.gz`);
}

/** @throws Error when the folder holds no backup that this version reads */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST_FILE), 'utf8').catch((cause: unknown) => {
    throw new Error(`${folder}: holds no backup (there is no ${MANIFEST_FILE}).`, { cause });
  });
  try {
    return manifestSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`${join(folder, MANIFEST_FILE)}: is damaged, or of another version.`, { cause });
  }
}

/** Creates a stream that passes bytes through; `result` gives their number and SHA-256 at its end. */
export function createHashStream() {
  const hash = createHash('sha256');
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk);
      bytes += chunk.byteLength;
      done(null, chunk);
    },
  });
  return { stream, result: () => ({ sha256: hash.digest('hex'), bytes }) };
}
