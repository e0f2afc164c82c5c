import { expect, test } from 'vitest';
import { type FolderHandle, ResultFolder } from '../../../app/studio/recipes/result-folder.ts';

/** Folder in memory, with what a page uses of a folder of the visitor's. */
function openFolder(names: readonly string[]): {
  readonly handle: FolderHandle;
  readonly files: ReadonlyMap<string, string>;
} {
  const files = new Map(names.map((name) => [name, 'an original']));
  const handle: FolderHandle = {
    async getFileHandle(name, { create = false } = {}) {
      if (!create && !files.has(name)) throw new DOMException('There is no such file.', 'NotFoundError');
      return {
        async createWritable() {
          const parts: Blob[] = [];
          return {
            async write(part) {
              parts.push(part);
            },
            async close() {
              files.set(name, await new Blob(parts).text());
            },
          };
        },
      };
    },
  };
  return { handle, files };
}

test('files that a folder had stay, and results of one name stand next to each other', async () => {
  const { handle, files } = openFolder(['a.webp']);
  const folder = new ResultFolder(handle);
  await Promise.all(['one', 'two', 'three'].map((owner) => folder.write(owner, 'a.webp', new Blob([owner]))));
  expect(files.get('a.webp')).toBe('an original');
  const made = [...files].filter(([name]) => name !== 'a.webp');
  expect(made.map(([name]) => name).toSorted()).toEqual(['a-2.webp', 'a-3.webp', 'a-4.webp']);
  expect(made.map(([, text]) => text).toSorted()).toEqual(['one', 'three', 'two']);
});

test('a result that is made again replaces itself alone', async () => {
  const { handle, files } = openFolder([]);
  const folder = new ResultFolder(handle);
  await folder.write('one', 'A.webp', new Blob(['first']));
  await folder.write('two', 'a.webp', new Blob(['another']));
  await folder.write('one', 'A.webp', new Blob(['second']));
  expect(Object.fromEntries(files)).toEqual({ 'A.webp': 'second', 'a-2.webp': 'another' });
});

test('a folder that cannot be written says so', async () => {
  const refuse = () => Promise.reject(new DOMException('No.', 'NotAllowedError'));
  const folder = new ResultFolder({ getFileHandle: refuse });
  await expect(folder.write('one', 'a.webp', new Blob(['a']))).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('a.webp could not be written'),
  });
});

test('results without an ending stand next to each other, too', async () => {
  const { handle, files } = openFolder(['photo']);
  await new ResultFolder(handle).write('one', 'photo', new Blob(['first']));
  expect(Object.fromEntries(files)).toEqual({ photo: 'an original', 'photo-2': 'first' });
});
