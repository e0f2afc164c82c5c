import { stat } from 'node:fs/promises';
import { sha256Of } from './part-file.ts';

/** By path: files verified in this process, or being verified, with their size and time. */
const checked = new Map<string, { readonly identity: string; readonly isRight: Promise<boolean> }>();

/** Reports whether a file has this SHA-256. Reads it once for all callers while its size and time stay the same. */
export async function matchesSha256(path: string, sha256: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) return false;
  // Whoever marks a use of the file writes its time anew, to the millisecond.
  const identity = `${sha256} ${found.size} ${Math.round(found.mtimeMs)}`;
  const known = checked.get(path);
  if (known?.identity === identity) return known.isRight;
  const isRight = check(path, sha256);
  checked.set(path, { identity, isRight });
  return isRight;
}

async function check(path: string, sha256: string): Promise<boolean> {
  // An unreadable file is as useless as a wrong one.
  const isRight = await sha256Of(path).then(
    (found) => found === sha256,
    () => false,
  );
  if (!isRight) checked.delete(path);
  return isRight;
}
