import { describe, expect, test } from 'vitest';
import { probeVideo } from '../../models/media/containers/video-header.ts';
import { remux } from '../support/media/remux.ts';
import { encodeVideo, movingFrames, readVideo } from '../support/media/videos.ts';

const FRAME_SECONDS = 0.1;
const FRAMES = 40;

/** Reads a video, and what is priced of it. */
async function read(input: Blob) {
  const { durationSeconds, frameCount } = await probeVideo(input, { secondsMax: 60 });
  const { frames, warnings } = await readVideo(input);
  const last = frames.at(-1);
  const seconds = (last?.timestampSeconds ?? 0) + (last?.durationSeconds ?? 0);
  return { durationSeconds, frameCount, frames, seconds, warnings };
}

async function clip(): Promise<Blob> {
  const { blob } = await encodeVideo(movingFrames(64, 48, Array(FRAMES).fill(FRAME_SECONDS)), {});
  return blob;
}

const cutTo = (file: Blob, share: number) => file.slice(0, Math.floor(file.size * share));

describe.each(['mkv', 'webm'] as const)('a video in %s that is cut off', (format) => {
  test.each([0, 600])(
    'with a clock from %d s costs and lasts what can be played, and says so',
    async (start) => {
      const source = format === 'mkv' ? await clip() : await webmClip();
      const whole = await remux(source, format, (seconds) => seconds + start);
      const [all, cut] = [await read(whole), await read(cutTo(whole, 0.6))];
      expect(all.warnings).toEqual([]);
      expect(all.frames).toHaveLength(FRAMES);
      expect(Math.abs(all.durationSeconds - FRAMES * FRAME_SECONDS)).toBeLessThan(1.1 * FRAME_SECONDS);
      expect(cut.frames.length).toBeGreaterThan(FRAMES * 0.3);
      expect(cut.frames.length).toBeLessThan(FRAMES * 0.8);
      expect(cut.frameCount).toBe(cut.frames.length);
      expect(cut.durationSeconds).toBeCloseTo(cut.frames.length * FRAME_SECONDS, 2);
      expect(cut.warnings).toEqual([
        `The video is cut off: the result covers the ${cut.seconds.toFixed(1)} s that could be read.`,
      ]);
      for (const [at, { data }] of cut.frames.entries()) expect(data).toEqual(all.frames[at]?.data);
    },
  );

  test('is read wherever it ends', { tags: ['long'] }, async () => {
    const whole = await remux(
      format === 'mkv' ? await clip() : await webmClip(),
      format,
      (seconds) => seconds,
    );
    for (let share = 0.5; share < 1; share += 0.013) {
      const { durationSeconds, frameCount, frames, seconds, warnings } = await read(cutTo(whole, share));
      expect(frameCount).toBe(frames.length);
      // The last frame may lack the one before it, which was stored later.
      expect(Math.abs(durationSeconds - seconds)).toBeLessThan(1.1 * FRAME_SECONDS);
      if (frames.length < FRAMES - 2) expect(warnings).toHaveLength(1);
    }
  });
});

async function webmClip(): Promise<Blob> {
  const frames = movingFrames(64, 48, Array(FRAMES).fill(FRAME_SECONDS));
  return (await encodeVideo(frames, { format: 'webm' })).blob;
}

test('a video in MP4 that lacks its last frames says so', async () => {
  const whole = await clip();
  const { frames, durationSeconds, seconds, warnings } = await read(whole.slice(0, whole.size - 3));
  expect(warnings).toEqual([]);
  expect(frames.length).toBeGreaterThanOrEqual(FRAMES - 1);
  expect(durationSeconds - seconds).toBeLessThan(1.5 * FRAME_SECONDS);
  const cut = await read(cutTo(whole, 0.97));
  expect(cut.warnings).toEqual([
    `The video is cut off: the result covers the ${cut.seconds.toFixed(1)} s that could be read.`,
  ]);
});

test('the length in a header of Matroska is that of the video, or the time of its end', async () => {
  const late = await remux(await clip(), 'mkv', (seconds) => seconds + 3);
  const bytes = Buffer.from(await late.arrayBuffer());
  // The element Duration, of 8 bytes.
  const at = bytes.indexOf(Buffer.from([0x44, 0x89, 0x88])) + 3;
  for (const stated of [4000, 7000]) {
    bytes.writeDoubleBE(stated, at);
    const { durationSeconds, frames } = await read(new Blob([bytes]));
    expect(durationSeconds).toBeCloseTo(FRAMES * FRAME_SECONDS, 1);
    expect(frames).toHaveLength(FRAMES);
  }
});

/** Makes an element of EBML. */
function element(id: number, ...body: readonly Uint8Array[]): Buffer {
  const bytes = Buffer.concat(body);
  const name = Buffer.from(id.toString(16).padStart(id > 0xff_ffff ? 8 : id > 0xff ? 4 : 2, '0'), 'hex');
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE((1n << 56n) | BigInt(bytes.length));
  return Buffer.concat([name, size, bytes]);
}

const byte = (...values: readonly number[]) => Uint8Array.from(values);
const number = (value: number) => byte(value >> 8, value & 0xff);

test('lengths of single blocks, such as those of subtitles, do not add up in a live recording', async () => {
  const track = (at: number, type: number, ...more: readonly Buffer[]) =>
    element(0xae, element(0xd7, byte(at)), element(0x83, byte(type)), ...more);
  const group = (at: number, tick: number, length: number) =>
    element(0xa0, element(0xa1, byte(0x80 | at), number(tick), byte(0, 0)), element(0x9b, number(length)));
  const picture = element(0xe0, element(0xb0, byte(64)), element(0xba, byte(48)));
  const blocks = Array.from({ length: 25 }, (_, at) => [
    group(1, 40 * at, 40),
    group(2, 40 * at, 20),
    group(2, 40 * at + 20, 20),
    ...(at === 10 ? [group(3, 400, 5000)] : []),
  ]);
  const file = new Blob([
    element(0x1a45dfa3, element(0x4282, Buffer.from('matroska'))),
    element(
      0x18538067,
      element(0x1654ae6b, track(1, 1, picture), track(2, 2), track(3, 17)),
      element(0x1f43b675, element(0xe7, byte(0)), ...blocks.flat()),
    ),
  ]);
  const { durationSeconds, frameCount } = await probeVideo(file, { secondsMax: 60 });
  expect(durationSeconds).toBeCloseTo(1, 3);
  expect(frameCount).toBe(25);
});
