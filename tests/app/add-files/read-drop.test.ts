import { expect, it } from 'vitest';

/** By a name that the type check does not follow: the module is typed for browsers. */
const MODULE: string = '../../../app/studio/add-files/use-file-drop.ts';
const { describeUnreadable, readDrop } = await import(MODULE);

const READABLE = new File(['bytes'], 'a.jpg');

/** Entry of a file, or of one that the browser cannot read. */
const fileEntry = (name: string, file?: File) => ({
  name,
  isFile: true,
  isDirectory: false,
  file: (resolve: (file: File) => void, reject: (error: Error) => void) =>
    file ? resolve(file) : reject(new Error('NotFoundError')),
});

const folderEntry = (name: string, entries: readonly object[]) => ({
  name,
  isFile: false,
  isDirectory: true,
  createReader: () => {
    const parts = [entries, []];
    return { readEntries: (resolve: (entries: readonly object[]) => void) => resolve(parts.shift() ?? []) };
  },
});

const lockedFolder = (name: string) => ({
  ...folderEntry(name, []),
  createReader: () => ({
    readEntries: (_resolve: unknown, reject: (error: Error) => void) => reject(new Error('NotReadableError')),
  }),
});

const drop = (...entries: readonly object[]) => ({
  files: [],
  items: entries.map((entry) => ({ webkitGetAsEntry: () => entry })),
});

it('one unreadable file of a dropped folder is named, and the others are added', async () => {
  const folder = folderEntry('holiday', [fileEntry('a.jpg', READABLE), fileEntry('locked.jpg')]);
  expect(await readDrop(drop(folder))).toEqual({ files: [READABLE], unreadable: ['locked.jpg'] });
});

it('a folder that cannot be listed is named, and the others are added', async () => {
  const transfer = drop(lockedFolder('private'), folderEntry('holiday', [fileEntry('a.jpg', READABLE)]));
  expect(await readDrop(transfer)).toEqual({ files: [READABLE], unreadable: ['private'] });
});

it('says which files could not be read', () => {
  expect(describeUnreadable(['a.jpg', 'b.jpg'])).toBe('Skipped: a.jpg and b.jpg could not be read.');
});
