import { expect } from 'vitest';
import type { VideoFrame } from '../../../models/core/runtime/video-codec.ts';
import { encodeVideo, videoFixture } from './videos.ts';

const SECONDS = [0.04, 0.04, 0.1, 0.02, 0.04, 0.04];
export const SQUARE_VIDEO = { width: 96, height: 64, frameCount: SECONDS.length } as const;
const { width, height } = SQUARE_VIDEO;

/** Red square on green that moves to the right: the stand-in segments red. */
export function* generateSquareFrames(): Generator<VideoFrame> {
  let timestampSeconds = 0;
  for (const [index, durationSeconds] of SECONDS.entries()) {
    const data = Uint8Array.from({ length: width * height * 4 }, (_, at) => {
      const place = Math.floor(at / 4);
      const [x, y] = [place % width, Math.floor(place / width)];
      const isRed = Math.abs(x - squareCentreAt(index)) < 16 && Math.abs(y - 32) < 16;
      return (isRed ? [255, 0, 32, 255] : [0, 160, 32, 255])[at % 4] ?? 0;
    });
    yield { width, height, data, timestampSeconds, durationSeconds };
    timestampSeconds += durationSeconds;
  }
}
export const squareCentreAt = (index: number) => 32 + index * 4;

/** Makes an MP4 with audio. */
export async function createSquareVideo(): Promise<Blob> {
  return (await encodeVideo(generateSquareFrames(), { soundFrom: await videoFixture('moving.mp4') })).blob;
}

export const readPixel = ({ width, data }: VideoFrame, x: number, y: number) =>
  Array.from(data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4));

/** Tolerance for lossy colours. */
export function expectColour(frame: VideoFrame, [x, y]: [number, number], expected: number[]): void {
  readPixel(frame, x, y).forEach((value, channel) => {
    expect(Math.abs(value - (expected[channel] as number))).toBeLessThan(24);
  });
}
