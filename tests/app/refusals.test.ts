import { expect, test } from 'vitest';
import { describeReads, refusalOf } from '../../app/(studio)/tools/refusals.ts';
import { TOOLS } from '../../app/(studio)/tools/tools.ts';

const { 'media-convert-image': convert, 'remove-bg': removeBg } = TOOLS;

test.each([
  [convert, 'notes.txt', 'text/plain', 'is not an image'],
  [convert, 'clip.mp4', 'video/mp4', 'is a video: open it in Remove background'],
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
