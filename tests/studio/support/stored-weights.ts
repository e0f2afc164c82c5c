import type { Page } from 'playwright';

/** Says for the visitor that no sharper model may be fetched without a click: a small one would come by itself. */
export function refuseSharperModels(page: Page): Promise<void> {
  return page.evaluate(() => localStorage.setItem('darkroom-sharper-models', 'no'));
}

/** Stores a file where a download stores it. */
export function storeWeights(page: Page, name: string, bytes: number): Promise<void> {
  return page.evaluate(
    async ([file, size]) => {
      const root = await navigator.storage.getDirectory();
      const folder = await root.getDirectoryHandle('weights', { create: true });
      const writable = await (await folder.getFileHandle(file, { create: true })).createWritable();
      await writable.write(new Uint8Array(size));
      await writable.close();
    },
    [name, bytes] as const,
  );
}
