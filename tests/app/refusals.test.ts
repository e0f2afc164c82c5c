import { expect, test } from 'vitest';
import { recognise } from '../../app/(studio)/files/recognise.ts';
import { describeReads, refusalOf } from '../../app/(studio)/tools/refusals.ts';
import { TOOLS } from '../../app/(studio)/tools/tools.ts';

const { 'media-convert-image': convert, 'remove-bg': removeBg } = TOOLS;

test.each([
  [convert, 'notes.txt', 'text/plain', 'is not an image'],
  [convert, 'clip.mp4', 'video/mp4', 'is a video'],
  [removeBg, 'notes.txt', 'text/plain', 'is not an image or video'],
  [removeBg, 'song.mp3', 'audio/mpeg', 'is an audio file'],
])('$slug says why it skips %s', (tool, name, type, reason) => {
  expect(refusalOf(tool, { name, type })).toEqual({ name, reason });
});

test('a format that the tool leaves out is named', () => {
  const tool = { ...convert, leavesOut: ['heic', 'gif'] };
  expect(refusalOf(tool, { name: 'a.heic', type: '' })).toEqual({ name: 'a.heic', reason: 'is a HEIC file' });
  expect(describeReads(tool)).toBe('This tool reads JPG, PNG, WebP, AVIF, TIFF and BMP images.');
});

test('files of no type and suffix get the type of their bytes, and others stay the same', async () => {
  const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1]);
  const webm = new Uint8Array([0x1a, 0x45, 0xdf, 0xa3, ...new TextEncoder().encode('....webm....')]);
  const named = new File([jpeg], 'words.txt', { type: 'text/plain' });
  const short = new File([jpeg.slice(0, 4)], 'short');
  const found = await recognise([new File([jpeg], 'scan'), new File([webm], 'clip'), named, short]);
  expect(found.map(({ type }) => type)).toEqual(['image/jpeg', 'video/webm', 'text/plain', '']);
  expect(found[2]).toBe(named);
  expect(found[0]?.name).toBe('scan');
});
