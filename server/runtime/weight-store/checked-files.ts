import { stat } from 'node:fs/promises';
import { sha256Of } from './part-file.ts';

/** By path: files that were found right in this process, or are being read for that, and how they looked then. */
const checked = new Map<string, { readonly looks: string; readonly isRight: Promise<boolean> }>();

/** Whether a file has this SHA-256. It is read once, for all who ask, for as long as its size and time stay the same. */
export async function isRightFile(path: string, sha256: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) return false;
  const looks = `${sha256} ${found.size} ${found.mtimeMs}`;
  const known = checked.get(path);
  if (known?.looks === looks) return known.isRight;
  const isRight = check(path, sha256);
  checked.set(path, { looks, isRight });
  return isRight;
}

async function check(path: string, sha256: string): Promise<boolean> {
  // A file that cannot be read is of no more use than a wrong one.
  const isRight = await sha256Of(path).then(
    (found) => found === sha256,
    () => false,
  );
  if (!isRight) checked.delete(path);
  return isRight;
}
