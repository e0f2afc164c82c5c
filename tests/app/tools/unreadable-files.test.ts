import { expect, test } from 'vitest';
import { describeAccepted, getRefusal, toolsForRefused } from '../../../app/studio/tools/refusals.ts';
import { fitsTool, TOOLS } from '../../../app/studio/tools/tools.ts';
import { listFormats } from '../../../models/media/image/find-format.ts';

const {
  'media-convert-image': convert,
  'remove-bg': removeBg,
  'audio-diarize': diarize,
  'audio-separate-stems': stems,
  upscale,
} = TOOLS;

test.each([
  [convert, 'notes.txt', 'text/plain', 'is not an image'],
  [convert, 'clip.mp4', 'video/mp4', 'is a video'],
  [removeBg, 'notes.txt', 'text/plain', 'is not an image or video'],
  [removeBg, 'song.mp3', 'audio/mpeg', 'is an audio file'],
])('$slug says why it skips %s', (tool, name, type, reason) => {
  const file = new File(['bytes'], name, { type });
  expect(getRefusal(tool, file)).toEqual({ name, file, reason });
});

test('an empty file is reported as empty, whatever its name', () => {
  const file = new File([], 'empty.jpg', { type: 'image/jpeg' });
  expect(getRefusal(convert, file)).toEqual({ name: 'empty.jpg', file, reason: 'is empty' });
});

test('refused files are opened by the tools that read them', () => {
  const [clip, notes] = [new File([], 'clip.mp4', { type: 'video/mp4' }), new File([], 'notes.txt')];
  expect(toolsForRefused(convert, [clip, notes])).toEqual([
    [removeBg, [clip]],
    [upscale, [clip]],
    [diarize, [clip]],
    [stems, [clip]],
  ]);
});

test('both tools for images say that they read the same formats', () => {
  const images = 'JPG, PNG, WebP, HEIC, AVIF, TIFF, GIF and BMP images';
  expect(describeAccepted(convert)).toBe(`This tool reads ${images}.`);
  expect(describeAccepted(removeBg)).toBe(`This tool reads ${images}, and videos.`);
});

test.each(listFormats().map(({ id }) => id))('%s images fit both tools', (format) => {
  const file = new File([], `a.${format}`, { type: `image/${format}` });
  expect([fitsTool(convert, file), fitsTool(removeBg, file)]).toEqual([true, true]);
});
