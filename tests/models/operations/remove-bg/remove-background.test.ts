import { describe, expect, it } from 'vitest';
import type { Draft, Progress } from '../../../../models/core/runtime/progress.ts';
import { getMessages } from '../../../../models/core/runtime/run-warnings.ts';
import { solidBackdrop } from '../../../../models/operations/remove-bg/backdrop.ts';
import {
  type RemoveOptions,
  removeBackground,
} from '../../../../models/operations/remove-bg/remove-background.ts';
import { createMattingInference } from '../../../support/models/matting-inference.ts';

const WIDTH = 900;
const HEIGHT = 600;

/** Alpha of discs with edges two pixels wide. */
const discs = (...centres: [x: number, y: number, radius: number][]) => {
  const at = (x: number, y: number) =>
    Math.max(
      0,
      ...centres.map(([cx, cy, r]) => Math.min(1, Math.max(0, (r + 1 - Math.hypot(x - cx, y - cy)) / 2))),
    );
  return Float32Array.from({ length: WIDTH * HEIGHT }, (_, place) =>
    at(place % WIDTH, Math.floor(place / WIDTH)),
  );
};

/** Red discs on a green that grows lighter; the stand-ins segment red. */
const getPhoto = (alpha: Float32Array) => ({
  width: WIDTH,
  height: HEIGHT,
  data: Uint8Array.from({ length: WIDTH * HEIGHT * 4 }, (_, at) => {
    const opacity = alpha[Math.floor(at / 4)] as number;
    const green = 120 + (80 * (Math.floor(at / 4) % WIDTH)) / WIDTH;
    return [255 * opacity, green * (1 - opacity), 40, 255][at % 4] as number;
  }),
});

const one = discs([450, 300, 180]);
const two = discs([250, 300, 150], [700, 300, 90]);
const getAlpha = ({ data }: { data: Uint8Array }) => data.filter((_, at) => at % 4 === 3);

async function remove(
  raster: ReturnType<typeof getPhoto>,
  options: Partial<RemoveOptions> = {},
  inference = createMattingInference(['u2netp']),
) {
  const reached: number[] = [];
  const drafts: Draft[] = [];
  const { signal } = new AbortController();
  const runtime = {
    inference,
    signal,
    progress: ({ fraction }: Progress) => void reached.push(fraction),
    draft: (draft: Draft) => void drafts.push(draft),
  };
  const removal = await removeBackground(
    raster,
    { engine: 'auto', subject: 'all', backdrop: null, ...options },
    runtime,
  );
  return { ...removal, reached, drafts };
}

const meanError = (alpha: Uint8Array, truth: Float32Array) =>
  truth.reduce((sum, value, place) => sum + Math.abs(value - (alpha[place] as number) / 255), 0) /
  truth.length;

describe('removing the background', { timeout: 120_000 }, () => {
  it('cuts the subject out at full resolution, finer than the model input', async () => {
    const raster = getPhoto(one);
    const { subjectCount, quality, engine, warnings } = await remove(raster);
    expect({ subjectCount, quality, engine, warnings }).toEqual({
      subjectCount: 1,
      quality: 'high',
      engine: 'u2netp on cpu',
      warnings: [],
    });
    // Half the edge's own width, over all pixels: the model's cells are almost three pixels wide.
    expect(meanError(getAlpha(raster), one)).toBeLessThan(0.001);
  });

  it('reports progress that never falls', { tags: ['long'] }, async () => {
    const { reached } = await remove(getPhoto(one));
    expect(reached.length).toBeGreaterThan(5);
    expect(reached).toEqual(reached.toSorted((a, b) => a - b));
    expect(reached.at(-1)).toBeLessThanOrEqual(1);
  });

  it('shows the first matte of the model, then the one that is cut out', async () => {
    const { drafts } = await remove(getPhoto(two), { subject: 'primary' });
    const shares = drafts.map(({ width, height, opacity }) => {
      expect(opacity.length).toBe(width * height);
      const at = (x: number, y: number) =>
        opacity[Math.floor((y / HEIGHT) * height) * width + Math.floor((x / WIDTH) * width)] as number;
      return { large: at(250, 300) > 250, small: at(700, 300) > 250, between: at(500, 100) > 5 };
    });
    expect(shares).toEqual([
      { large: true, small: true, between: false },
      { large: true, small: false, between: false },
    ]);
  });

  it('counts the subjects and keeps them all, or the largest', async () => {
    const all = getPhoto(two);
    expect((await remove(all)).subjectCount).toBe(2);
    expect(meanError(getAlpha(all), two)).toBeLessThan(0.001);
    const largest = getPhoto(two);
    expect((await remove(largest, { subject: 'primary' })).subjectCount).toBe(2);
    expect(meanError(getAlpha(largest), discs([250, 300, 150]))).toBeLessThan(0.001);
  });

  it('composites the subject over a backdrop', async () => {
    const raster = getPhoto(one);
    await remove(raster, { backdrop: solidBackdrop([1, 1, 0, 1]) });
    expect(Array.from(raster.data.subarray(0, 4))).toEqual([255, 255, 0, 255]);
    const middle = (300 * WIDTH + 450) * 4;
    expect(Array.from(raster.data.subarray(middle, middle + 4))).toEqual([255, 0, 40, 255]);
  });

  it('finds no subject in an image without one, with quality low', async () => {
    const raster = getPhoto(new Float32Array(WIDTH * HEIGHT));
    const { subjectCount, quality } = await remove(raster);
    expect({ subjectCount, quality }).toEqual({ subjectCount: 0, quality: 'low' });
    expect(getAlpha(raster).every((alpha) => alpha === 0)).toBe(true);
  });
});

describe('the engine', { timeout: 120_000 }, () => {
  it('is the best one available', { tags: ['long'] }, async () => {
    const { engine } = await remove(
      getPhoto(one),
      {},
      createMattingInference(['u2netp', 'isnet-general-use']),
    );
    expect(engine).toBe('isnet-general-use on cpu');
  });

  it('is the next one when the best fails, with a warning', async () => {
    const inference = createMattingInference(['u2netp', 'isnet-general-use'], ['isnet-general-use']);
    const { engine, warnings } = await remove(getPhoto(one), {}, inference);
    expect(engine).toBe('u2netp on cpu');
    expect(getMessages(warnings)).toEqual(['isnet-general-use could not be used; u2netp took its place.']);
  });

  it('that finds only people is taken by name alone', async () => {
    const inference = createMattingInference(['selfie-segmentation']);
    await expect(remove(getPhoto(one), {}, inference)).rejects.toMatchObject({ code: 'unavailable' });
    const asked = await remove(getPhoto(one), { engine: 'selfie-segmentation' }, inference);
    expect(asked.warnings).toEqual([]);
  });

  it('that is not available is an error', async () => {
    const none = createMattingInference([]);
    await expect(remove(getPhoto(one), {}, none)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'No model that finds subjects is available.',
    });
    await expect(remove(getPhoto(one), { engine: 'u2netp' }, none)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^engine: u2netp is not available/),
    });
  });
});
