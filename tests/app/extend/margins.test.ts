import { describe, expect, it } from 'vitest';
import { extentFor, FREE, frameParams, freeMargins, getMargins } from '../../../app/studio/extend/margins.ts';

const free = {
  expand_left: 0,
  expand_right: 0,
  expand_top: 0,
  expand_bottom: 0,
  shape: FREE,
  zoom_out_percentage: 100,
};
const wide = { ...free, expand_left: 100, shape: '16:9' };

describe('the shape of the frame', () => {
  it('gives each image its own margins', () => {
    expect(extentFor({ width: 1440, height: 975 }, wide)).toMatchObject({ width: 1733, height: 975 });
    expect(extentFor({ width: 800, height: 480 }, wide)).toMatchObject({ width: 853, height: 480 });
  });

  it('leaves an image that has it, as exactly as pixels can, as it is', () => {
    for (const size of [
      { width: 1280, height: 720 },
      { width: 852, height: 480 },
      { width: 1366, height: 768 },
    ]) {
      expect(extentFor(size, wide)).toMatchObject(size);
    }
    expect(extentFor({ width: 100, height: 101 }, { ...wide, shape: '1:1' })).toMatchObject({ width: 101 });
  });

  it('goes into a run in place of the margins', () => {
    expect(frameParams(wide)).toEqual({
      expand_left: 0,
      expand_right: 0,
      expand_top: 0,
      expand_bottom: 0,
      aspect_ratio: '16:9',
      zoom_out_percentage: 100,
    });
  });

  it('becomes free once an edge is dragged', () => {
    const margins = {
      ...getMargins({ width: 1200, height: 800 }, { ...free, shape: '1:1' }),
      left: 7,
    };
    expect(margins).toEqual({ left: 7, right: 0, top: 200, bottom: 200 });
    expect(frameParams({ ...free, ...freeMargins(margins) })).toEqual({
      expand_left: 7,
      expand_right: 0,
      expand_top: 200,
      expand_bottom: 200,
      zoom_out_percentage: 100,
    });
  });
});
