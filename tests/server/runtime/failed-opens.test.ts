import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CodecContext, FormatContext, Packet } from 'node-av/lib';
import { afterEach, expect, test, vi } from 'vitest';
import { type Libheif, openHeif } from '../../../models/media/image/heif/libheif.ts';
import { AvEncoder } from '../../../server/runtime/media/av-encoder.ts';
import { FileReader } from '../../../server/runtime/media/file-reader.ts';
import { AvVideoEncoder } from '../../../server/runtime/media/video-encoders.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('a file that FFmpeg cannot open leaves nothing open', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'failed-opens-'));
  try {
    const path = join(folder, 'file');
    await writeFile(path, 'no film');
    const freed = [vi.spyOn(Packet.prototype, 'free'), vi.spyOn(FormatContext.prototype, 'closeInputSync')];
    expect(() => new FileReader(path, { demuxer: 'mov', media: 'video' })).toThrow();
    for (const free of freed) expect(free).toHaveBeenCalledTimes(1);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test.each([
  ['of sound', () => new AvEncoder('mp3', { sampleRate: 12_345, channelCount: 2 })],
  [
    'of video',
    () =>
      new AvVideoEncoder(
        { format: 'mp4', frameRate: 25 },
        { width: 0, height: 0, data: new Uint8Array(0), timestampSeconds: 0, durationSeconds: 1 },
      ),
  ],
])('an encoder %s that cannot be opened leaves nothing open', (_, open) => {
  const free = vi.spyOn(CodecContext.prototype, 'freeContext');
  expect(open).toThrow();
  expect(free).toHaveBeenCalledTimes(1);
});

test('a HEIC that cannot be opened leaves no context', () => {
  const free = vi.fn();
  const libheif = {
    heif_error_code: { heif_error_Ok: 0 },
    heif_context_alloc: () => ({}),
    heif_context_free: free,
    heif_context_read_from_memory: () => ({ code: 2, message: 'no boxes' }),
  };
  expect(() => openHeif(libheif as unknown as Libheif, new Uint8Array(16))).toThrow('no boxes');
  expect(free).toHaveBeenCalledTimes(1);
});
