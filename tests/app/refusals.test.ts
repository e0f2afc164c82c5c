import { expect, test } from 'vitest';
import { describeReads, refusalOf, toolsForRefused } from '../../app/(studio)/tools/refusals.ts';
import { TOOLS } from '../../app/(studio)/tools/tools.ts';

const { 'media-convert-image': convert, 'remove-bg': removeBg } = TOOLS;

test.each([
  [convert, 'notes.txt', 'text/plain', 'is not an image'],
  [convert, 'clip.mp4', 'video/mp4', 'is a video'],
  [removeBg, 'notes.txt', 'text/plain', 'is not an image or video'],
  [removeBg, 'song.mp3', 'audio/mpeg', 'is an audio file'],
])('$slug says why it skips %s', (tool, name, type, reason) => {
  const file = new File([], name, { type });
  expect(refusalOf(tool, file)).toEqual({ file, reason });
});

test('refused files are opened by the tools that read them', () => {
  const [clip, notes] = [new File([], 'clip.mp4', { type: 'video/mp4' }), new File([], 'notes.txt')];
  const refused = [clip, notes].map((file) => refusalOf(convert, file));
  expect(toolsForRefused(refused)).toEqual([[removeBg, [clip]]]);
});

test('a format that the tool leaves out is named', () => {
  const tool = { ...convert, leavesOut: ['heic', 'gif'] };
  expect(refusalOf(tool, new File([], 'a.heic')).reason).toBe('is a HEIC file');
  expect(describeReads(tool)).toBe('This tool reads JPG, PNG, WebP, AVIF, TIFF and BMP images.');
});
