import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawMovingFrame } from '../../lab/fixtures/moving-pattern.ts';
import { writeInterlacedVideo } from '../../lab/fixtures/write-interlaced-video.ts';
import type { RewriteOptions } from '../../lab/support/page/rewrite-options.ts';
import type { WorkerPage } from '../../lab/support/worker-page.ts';
import { getMessages, type RunWarning } from '../../models/core/runtime/run-warnings.ts';
import type { VideoFrame } from '../../models/core/runtime/video-codec.ts';
import { openSharedWorkerPage } from '../support/browser/worker-page.ts';
import { psnr } from '../support/media/images.ts';
import { SCENES, worstColour } from '../support/media/scene-videos.ts';
import {
  decodeVideoFrames,
  encodeVideo,
  movingFrames,
  readAudioPackets,
  readFrameTimes,
  videoFixture,
} from '../support/media/videos.ts';

/** In dB, between the two realms' frames of one file: two ways of upsampling chroma. */
const SAME_FRAME_DB = 38;
/** In dB, between a frame and its lossy encoding. */
const SAME_PICTURE_DB = 34;

let opened: WorkerPage;
beforeAll(async () => {
  opened = await openSharedWorkerPage();
  await opened.page.addScriptTag({ url: '/video.js', type: 'module' });
  await opened.page.waitForFunction('globalThis.getFrames !== undefined');
});
afterAll(() => opened.stop());

async function call<Value>(name: string, input: Blob, options: object = {}): Promise<Value> {
  const path = await opened.put(input);
  return opened.page.evaluate<Value>(`${name}(${JSON.stringify(path)}, ${JSON.stringify(options)})`);
}

async function framesOnDevice(input: Blob): Promise<VideoFrame[]> {
  const frames = await call<(VideoFrame & { base64: string })[]>('getFrames', input);
  return frames.map(({ base64, ...frame }) => ({
    ...frame,
    data: new Uint8Array(Buffer.from(base64, 'base64')),
  }));
}

async function rewritten(
  input: Blob,
  options: RewriteOptions,
): Promise<{ blob: Blob; warnings: readonly string[] }> {
  const { warnings, base64 } = await call<{ warnings: RunWarning[]; base64: string }>(
    'rewritten',
    input,
    options,
  );
  return { warnings: getMessages(warnings), blob: new Blob([new Uint8Array(Buffer.from(base64, 'base64'))]) };
}

/** Runs in the page: records the rates given to encoders from now on. */
function keepRates(): void {
  const rates: unknown[] = [];
  Object.assign(globalThis, { rates });
  const { configure } = VideoEncoder.prototype;
  VideoEncoder.prototype.configure = function (config) {
    rates.push(config.framerate);
    configure.call(this, config);
  };
}

describe('one video, decoded in both realms', () => {
  async function expectSameFrames(name: string): Promise<void> {
    const input = await videoFixture(name);
    const [device, server] = [await framesOnDevice(input), await decodeVideoFrames(input)];
    expect(readFrameTimes(device)).toEqual(readFrameTimes(server));
    device.forEach((frame, index) => {
      expect(psnr(server[index] as VideoFrame, frame)).toBeGreaterThan(SAME_FRAME_DB);
    });
  }

  test.each(['moving.mp4', 'rotated.mov', 'fading.webm', 'top-first.mp4'])(
    '%s has the same frames at the same times',
    expectSameFrames,
  );

  test.each([
    'fragmented.mp4',
    'uneven.mp4',
    'odd.webm',
    'live.webm',
    'spoken.webm',
    'bottom-first.mp4',
    'partly-interlaced.mp4',
    'top-first.mkv',
    'bottom-first.mov',
  ])('%s has the same frames at the same times', { tags: ['long'] }, expectSameFrames);

  test('interlaced video that FFmpeg decodes in several windows has each frame once', {
    tags: ['long'],
  }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'darkroom-interlaced-'));
    const path = join(folder, 'long.mkv');
    writeInterlacedVideo(path, { encoder: 'mpeg2video', muxer: 'matroska', isTopFirst: true, frames: 300 });
    const input = new Blob([readFileSync(path)]);
    rmSync(folder, { recursive: true });
    const [device, server] = [await framesOnDevice(input), await decodeVideoFrames(input)];
    expect(readFrameTimes(device)).toEqual(readFrameTimes(server));
    device.forEach((frame, index) => {
      expect(psnr(server[index] as VideoFrame, frame)).toBeGreaterThan(SAME_FRAME_DB);
    });
  });

  test.each(Object.entries(SCENES))(
    'one %s is shown as its file says',
    { tags: ['long'] },
    async (_, scene) => {
      const frames = await framesOnDevice(await scene.file());
      const { width, height, timestampSeconds, durationSeconds } = frames.at(-1) as VideoFrame;
      expect([width, height]).toEqual([scene.width, scene.height]);
      expect(timestampSeconds + durationSeconds).toBeCloseTo(scene.seconds, 2);
      for (const frame of frames) expect(worstColour(frame)).toBeLessThan(3);
    },
  );

  test.each(['tone.mkv'])('%s is rejected by both', async (name) => {
    expect(await call('getFault', await videoFixture(name))).toMatchObject({ code: 'unprocessable' });
  });

  test('a truncated video ends with the reason', async () => {
    const whole = await videoFixture('moving.mp4');
    expect(await call('getFault', whole.slice(0, Math.floor(whole.size * 0.2)))).toMatchObject({
      code: 'unprocessable',
      message: expect.stringContaining('The end of the video is missing'),
    });
  });

  test('a damaged stretch of an MP4 costs its pictures alone', { tags: ['long'] }, async () => {
    const { blob } = await encodeVideo(movingFrames(64, 48, Array(80).fill(0.1)), {});
    const bytes = new Uint8Array(await blob.arrayBuffer());
    // Before the second key frame, at 1.7 s, from which on the browser goes on.
    const media = Buffer.from(bytes).indexOf('mdat');
    bytes.fill(0, media + Math.floor(bytes.length * 0.08), media + Math.floor(bytes.length * 0.1));
    const input = new Blob([bytes]);
    const [device, server] = [await framesOnDevice(input), await decodeVideoFrames(input)];
    expect(device.length).toBeGreaterThan(50);
    expect(device.length).toBeLessThan(80);
    const [last, expected] = [device.at(-1), server.at(-1)] as [VideoFrame, VideoFrame];
    expect(last.timestampSeconds).toBeCloseTo(expected.timestampSeconds, 3);
    expect(psnr(expected, last)).toBeGreaterThan(SAME_FRAME_DB);
  });

  test('reading ends when it is aborted', async () => {
    expect(await call('cancelled', await videoFixture('moving.mp4'))).toBe('AbortError');
  });
});

describe('videos that the device writes, as the server reads them', () => {
  test.each([
    ['moving.mp4', 'mp4', 'aac'],
    ['spoken.webm', 'webm', 'opus'],
  ] as const)('%s keeps its frames and audio as %s', async (name, format, codec) => {
    const input = await videoFixture(name);
    const { blob, warnings } = await rewritten(input, { format, alpha: false, sound: true });
    expect(warnings).toEqual([]);
    const frames = await decodeVideoFrames(blob);
    expect(readFrameTimes(frames)).toEqual(readFrameTimes(await decodeVideoFrames(input)));
    frames.forEach((frame, index) => {
      expect(psnr(drawMovingFrame(64, 48, index), frame)).toBeGreaterThan(SAME_PICTURE_DB);
    });
    const [before, after] = [await readAudioPackets(input), await readAudioPackets(blob)];
    expect(after.codec).toBe(codec);
    expect(after.packets.map(({ data }) => data)).toEqual(before.packets.map(({ data }) => data));
  });

  test('times that differ from frame to frame are kept', async () => {
    const input = await videoFixture('uneven.mp4');
    const { blob } = await rewritten(input, { format: 'mp4', alpha: false, sound: false });
    expect(readFrameTimes(await decodeVideoFrames(blob))).toEqual(
      readFrameTimes(await decodeVideoFrames(input)),
    );
  });

  test.each([
    ['a first frame of 3 seconds', 'mp4', [3, 0.04, 0.04, 0.04, 0.04, 0.04], 2],
    ['a first frame of 3 seconds', 'webm', [3, 0.04, 0.04, 0.04, 0.04, 0.04], 2],
    ['a first frame of a moment', 'webm', [0.001, 0.04, 0.04, 0.04, 0.04, 0.04], 30],
    ['no frame of less than 3 seconds', 'webm', [3, 3, 3], 1],
  ] as const)(
    'a video with %s is written as %s at its mean rate',
    { tags: ['long'] },
    async (_, format, secondsEach, rate) => {
      const { blob: input } = await encodeVideo(movingFrames(64, 48, secondsEach), {});
      await opened.page.evaluate(keepRates);
      const { blob } = await rewritten(input, { format, alpha: false, sound: false });
      expect(await opened.page.evaluate('rates')).toEqual([rate]);
      expect(readFrameTimes(await decodeVideoFrames(blob))).toEqual(
        readFrameTimes(await decodeVideoFrames(input)),
      );
    },
  );

  test('odd sides are kept in webm and made even in mp4', { tags: ['long'] }, async () => {
    const input = await videoFixture('odd.webm');
    for (const [format, width, height] of [
      ['webm', 67, 45],
      ['mp4', 68, 46],
    ] as const) {
      const [frame] = await decodeVideoFrames(
        (await rewritten(input, { format, alpha: false, sound: false })).blob,
      );
      expect([frame?.width, frame?.height]).toEqual([width, height]);
    }
  });

  test('alpha is kept in webm', async () => {
    const { blob } = await rewritten(await videoFixture('moving.mp4'), {
      format: 'webm',
      alpha: true,
      sound: true,
    });
    const frames = await decodeVideoFrames(blob);
    expect(frames).toHaveLength(12);
    frames.forEach((frame, index) => {
      expect(psnr(drawMovingFrame(64, 48, index, true), frame)).toBeGreaterThan(SAME_PICTURE_DB);
    });
  });

  test('audio that webm does not hold is re-encoded with a warning', { tags: ['long'] }, async () => {
    const options = { format: 'webm', alpha: false, sound: true } as const;
    const { blob, warnings } = await rewritten(await videoFixture('moving.mp4'), options);
    expect(warnings).toEqual(['The audio was re-encoded as opus, since webm does not hold aac.']);
    const { codec, packets } = await readAudioPackets(blob);
    expect(codec).toBe('opus');
    expect(packets.at(-1)?.timestamp).toBeGreaterThan(0.4);
  });
});
