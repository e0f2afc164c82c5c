import type { Page } from 'playwright';
import { expect } from 'vitest';
import { reloadPage } from './visit.ts';

/** @see waitUntilStored */
export interface StoredSession {
  /** Files whose results must be stored. Defaults to none: a run may have none yet. */
  readonly results?: number;
}

/** Reloads a page once everything so far is stored. */
export async function reloadStored(page: Page, expected: StoredSession = {}): Promise<void> {
  await waitUntilStored(page, expected);
  // The page asks before it ends a run.
  page.once('dialog', (dialog) => void dialog.accept());
  await reloadPage(page);
}

/** Waits until the session holds the expected results, and no stored state has changed between two reads. */
export async function waitUntilStored(page: Page, { results = 0 }: StoredSession = {}): Promise<void> {
  let before = '';
  await expect
    .poll(
      async () => {
        const now = await page.evaluate(readStored);
        const isStill = now === before;
        before = now;
        return isStill && now.split('"phase":"done"').length > results;
      },
      { interval: 400 },
    )
    .toBe(true);
}

/** Runs in the page: the session's states and the number of its files, as text. */
export async function readStored(): Promise<string> {
  const open = indexedDB.open('darkroom-session');
  const db = await new Promise<IDBDatabase>((resolve) => {
    open.onsuccess = () => resolve(open.result);
  });
  const read = (store: string) =>
    new Promise<unknown[]>((resolve) => {
      const all = db.transaction(store).objectStore(store).getAll();
      all.onsuccess = () => resolve(all.result);
    });
  const [states, files] = [await read('states'), await read('files')];
  db.close();
  const plain = (_: string, value: unknown) => (value instanceof Map ? [...value] : value);
  return JSON.stringify([states, files.length], plain);
}
