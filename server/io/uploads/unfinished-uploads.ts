import type { Env } from '../../base/env.ts';

/** Unfinished uploads of an account. */
export interface UnfinishedUploads {
  readonly uploads: number;
  readonly bytes: number;
}

const NONE: UnfinishedUploads = { uploads: 0, bytes: 0 };
// In the process, since what has not arrived occupies only its machine.
const accounts = new WeakMap<Env, Map<string, UnfinishedUploads>>();

/**
 * Counts an upload from its first byte on.
 * @param bytes that it may have
 * @returns the account's other unfinished uploads, and a function that ends the count
 */
export function countUnfinishedUpload(
  env: Env,
  accountId: string,
  bytes: number,
): { others: UnfinishedUploads; leave: () => void } {
  const arriving = accounts.get(env) ?? new Map<string, UnfinishedUploads>();
  accounts.set(env, arriving);
  const change = (uploads: number, more: number): UnfinishedUploads => {
    const before = arriving.get(accountId) ?? NONE;
    const after = { uploads: before.uploads + uploads, bytes: before.bytes + more };
    if (after.uploads > 0) arriving.set(accountId, after);
    else arriving.delete(accountId);
    return before;
  };
  const others = change(1, bytes);
  return { others, leave: () => void change(-1, -bytes) };
}
