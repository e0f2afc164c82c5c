import { describe, expect, it } from 'vitest';
import { upscale } from '../../../../models/operations/upscale/operation.ts';

const image = (width: number, height: number) => ({ format: 'png', mediaType: 'image/png', width, height });
const video = (side: number, durationSeconds: number) => ({
  mediaType: 'video/mp4',
  width: side,
  height: side,
  durationSeconds,
  frameRate: 60,
});

describe('the time of a run', () => {
  it.each([
    ['crystal-upscaler', 2, image(5000, 5000)],
    ['darkroom-restore', 4, image(2500, 2500)],
    ['crystal-upscaler', 8, image(1250, 1250)],
    ['crystal-upscaler', 2, video(2048, 60)],
    ['crystal-upscaler', 8, video(512, 60)],
    ['realesrgan-x4plus', 4, image(1200, 1000)],
  ])('suffices for %s and %i times, at the limit of what it takes', (model, scale, facts) => {
    expect(() => upscale.price(facts, { model, scale })).not.toThrow();
  });

  it.each([
    [
      'realesrgan-x4plus',
      2,
      image(5000, 5000),
      /^model: realesrgan-x4plus would take .*At most about 1\.\d meg/,
    ],
    [
      'realesrgan-x4plus',
      4,
      video(640, 20),
      /^model: realesrgan-x4plus would take .*At most 0\.\d s of them/,
    ],
    ['darkroom', 2, video(2048, 60), /^model: darkroom would take/],
  ])('is refused beforehand for %s and %i times where it would not suffice', (model, scale, facts, words) => {
    expect(() => upscale.price(facts, { model, scale })).toThrow(words);
  });

  it('decides the lane: images that take minutes run in the lane of the videos', () => {
    const lanes = [
      upscale.laneFor(image(1000, 1000), { model: 'crystal-upscaler', scale: 2 }),
      upscale.laneFor(image(5000, 5000), { model: 'crystal-upscaler', scale: 2 }),
      upscale.laneFor(image(1000, 1000), { model: 'realesrgan-x4plus', scale: 2 }),
      upscale.laneFor(video(64, 1), { model: 'crystal-upscaler', scale: 2 }),
    ];
    expect(lanes).toEqual(['interactive', 'long', 'long', 'long']);
  });

  it('limits a run by the work of its model, twice for an image, whose alpha is enlarged too', () => {
    const limit = (model: string) =>
      upscale.limitsFor(image(1000, 1000), { model, scale: 2 }, 2_000_000_000).runSecondsMax;
    expect(limit('darkroom-fast')).toBeLessThan(610);
    expect(limit('realesrgan-x4plus')).toBeGreaterThan(3600);
  });
});
