import { expect, it } from 'vitest';
import { recogniseByBytes } from '../../../app/studio/files/kind-by-bytes.ts';
import { groupFiles } from '../../../app/studio/home/file-groups.ts';

const JPEG = [0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1];
const text = (head: string) => [...head].map((each) => each.charCodeAt(0));
const file = (name: string, bytes: readonly number[], type = '') =>
  new File([Uint8Array.from(bytes)], name, { type });

it.each([
  ['an image without a type or an extension', file('IMG', JPEG), 'image', 'image/jpeg'],
  ['an image with a wrong name and type', file('a.mp4', JPEG, 'video/mp4'), 'image', 'image/jpeg'],
  ['a video', file('a', text('\0\0\0\x18ftypisom....')), 'video', 'video/mp4'],
  ['sound in a container for videos', file('a.m4a', text('\0\0\0\x18ftypM4A ....')), 'audio', 'audio/mp4'],
  ['sound', file('a', text('RIFF....WAVEfmt ')), 'audio', 'audio/wav'],
  [
    'a video with its own type',
    file('a.mov', text('\0\0\0\x14ftypqt  ....'), 'video/quicktime'),
    'video',
    'video/quicktime',
  ],
])('recognises %s', async (_, given, kind, type) => {
  const [found] = await recogniseByBytes([given]);
  expect([found?.kind, found?.file.type]).toEqual([kind, type]);
  expect(found?.file.name).toBe(given.name);
  expect(found?.file.size).toBe(given.size);
});

it.each([
  ['words named as an image', file('a.jpg', text('Dear diary, today'), 'image/jpeg')],
  ['a file that is too short', file('a.png', [0x89], 'image/png')],
])('does not recognise %s', async (_, given) => {
  expect(await recogniseByBytes([given])).toEqual([{ file: given, kind: undefined }]);
});

it('groups files that the same tools accept', async () => {
  const found = await recogniseByBytes([
    file('a.jpg', JPEG),
    file('b.mp4', text('\0\0\0\x18ftypisom....')),
    file('c.jpg', JPEG),
    file('d.txt', text('Dear diary, today')),
  ]);
  const groups = groupFiles(found).map(({ kind, files, tools }) => [
    kind,
    files.map(({ name }) => name),
    tools.map(({ slug }) => slug),
  ]);
  expect(groups).toEqual([
    ['image', ['a.jpg', 'c.jpg'], ['convert', 'remove-bg', 'moderate', 'upscale', 'extend']],
    ['video', ['b.mp4'], ['remove-bg', 'upscale', 'diarize', 'stems']],
    [undefined, ['d.txt'], []],
  ]);
});
