import { describe, expect, test } from 'vitest';
import { probeVideo } from '../../../models/kernels/video-header.ts';
import { videoFixture } from '../../support/videos.ts';

const probe = (video: Blob) => probeVideo(video, { secondsMax: 60 });

async function cutTo(name: string, share: number): Promise<Blob> {
  const whole = await videoFixture(name);
  return whole.slice(0, Math.floor(whole.size * share));
}

/** A file whose bytes at a place are others. */
async function changed(name: string, at: number, bytes: readonly number[]): Promise<Blob> {
  const data = new Uint8Array(await (await videoFixture(name)).arrayBuffer());
  data.set(bytes, at);
  return new Blob([data]);
}

async function indexIn(name: string, text: string): Promise<number> {
  return Buffer.from(await (await videoFixture(name)).arrayBuffer()).indexOf(text, 0, 'latin1');
}

describe('what the header of a video tells', () => {
  test.each([
    ['moving.mp4', { container: 'mp4', mediaType: 'video/mp4', width: 64, height: 48, hasAudio: true }],
    [
      'rotated.mov',
      { container: 'mov', mediaType: 'video/quicktime', width: 48, height: 64, hasAudio: true },
    ],
    [
      'fragmented.mp4',
      { container: 'mp4', width: 64, height: 48, hasAudio: true, frameCount: 12, isFrameCountExact: true },
    ],
    ['odd.webm', { container: 'webm', mediaType: 'video/webm', width: 67, height: 45, hasAudio: false }],
    [
      'live.webm',
      { container: 'webm', width: 67, height: 45, frameCount: 12, isFrameCountExact: true, hasAudio: false },
    ],
    ['spoken.webm', { container: 'webm', hasAudio: true, isFrameCountExact: false }],
  ])('%s', async (name, facts) => {
    const found = await probe(await videoFixture(name));
    expect(found).toMatchObject(facts);
    expect(found.durationSeconds).toBeCloseTo(0.48, 2);
    if (found.frameCount !== null) expect(found.frameRate).toBeCloseTo(25, 5);
  });

  test('frames that last differently are counted', async () => {
    const { durationSeconds, frameCount } = await probe(await videoFixture('uneven.mp4'));
    expect([durationSeconds, frameCount]).toEqual([0.7, 6]);
  });

  test('a live recording is read no further than asked', async () => {
    const { durationSeconds } = await probeVideo(await videoFixture('live.webm'), { secondsMax: 0.1 });
    expect(durationSeconds).toBeGreaterThan(0.1);
    expect(durationSeconds).toBeLessThan(0.3);
  });
});

describe('what is refused, with the reason', () => {
  test.each([
    ['text', () => new Blob(['a text that is no video at all']), /no known format. Send an MP4/],
    ['nothing', () => new Blob([]), /no known format/],
    ['sound alone', () => videoFixture('tone.mkv'), /no pictures/],
    ['a header that is cut off', () => cutTo('moving.mp4', 0.01), /header is cut off/],
    ['a header at the end that is missing', () => cutTo('rotated.mov', 0.5), /has no header \(moov\)/],
  ])('%s', async (_, input, message) => {
    await expect(probe(await input())).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(message),
    });
  });

  test('boxes that are smaller than their own head', async () => {
    const at = await indexIn('moving.mp4', 'trak');
    await expect(probe(await changed('moving.mp4', at - 4, [0, 0, 0, 3]))).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('boxes do not fit'),
    });
  });

  test('a clock that stands still', async () => {
    const at = await indexIn('moving.mp4', 'mvhd');
    await expect(probe(await changed('moving.mp4', at + 16, [0, 0, 0, 0]))).rejects.toMatchObject({
      message: expect.stringContaining('clock stands still'),
    });
  });

  test('every single byte of a header may be wrong: an answer or a refusal, never anything else', async () => {
    for (const name of ['moving.mp4', 'fragmented.mp4', 'live.webm']) {
      for (let at = 4; at < 1200; at += 1) {
        const outcome = await probe(await changed(name, at, [0xff])).catch((thrown) => thrown.code);
        expect(typeof outcome === 'object' || outcome === 'bad_request').toBe(true);
      }
    }
  });
});
