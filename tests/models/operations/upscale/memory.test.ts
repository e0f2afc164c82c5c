import { describe, expect, it } from 'vitest';
import { upscale } from '../../../../models/operations/upscale/operation.ts';
import { planPasses, type Scale } from '../../../../models/operations/upscale/plan-passes.ts';
import { UPSCALERS } from '../../../../models/operations/upscale/upscalers.ts';
import { UPSCALE_WEIGHTS } from '../../../../models/operations/upscale/weights.ts';

const small = { mediaType: 'image/png', format: 'png', width: 100, height: 100 };
const declared = (model: string, scale: 2 | 8, facts = small) =>
  upscale.limitsFor(facts, { model, scale }, 8_000_000_000).memoryBytesMax;

describe('the memory of a run', () => {
  it('counts only the networks that may serve the request', () => {
    const difference = declared('realesrgan-x4plus', 2) - declared('darkroom-fast', 2);
    const { 'realesrgan-x4plus': heavy, 'upscale-fast-x2': fast } = UPSCALE_WEIGHTS;
    expect(difference).toBe(heavy.memoryBytes - fast.memoryBytes);
  });

  it('counts all networks that are open at once, and the restoring one where none is named', () => {
    const { 'upscale-x2': two, 'upscale-x4': four, 'upscale-restore-x2': restore } = UPSCALE_WEIGHTS;
    expect(declared('darkroom', 8) - declared('darkroom', 2)).toBe(four.memoryBytes + 10_000 * 16 * 60);
    expect(declared('crystal-upscaler', 8)).toBe(
      declared('darkroom', 8) - two.memoryBytes + restore.memoryBytes,
    );
  });

  it('counts the samples of 16 bits that a PNG of such an input has', () => {
    const pixels = (format: 'png' | 'tiff' | 'jpeg') =>
      declared('darkroom', 8, { ...small, mediaType: `image/${format}`, format }) -
      declared('darkroom', 2, { ...small, mediaType: `image/${format}`, format });
    expect(pixels('png') - pixels('jpeg')).toBe(10_000 * 8 * 60);
    expect(pixels('tiff')).toBe(pixels('png'));
  });
});

it.each<[string, Scale, string[], number]>([
  ['darkroom', 2, ['upscale-x2'], 1],
  ['darkroom', 4, ['upscale-x4'], 1],
  ['darkroom', 8, ['upscale-x4', 'upscale-x2'], 1],
  ['darkroom-restore', 2, ['upscale-restore-x2'], 1],
  ['darkroom-restore', 4, ['upscale-restore-x2', 'upscale-x4'], 1],
  ['darkroom-restore', 8, ['upscale-restore-x2', 'upscale-x4'], 1],
  ['darkroom-fast', 4, ['upscale-fast-x2', 'upscale-fast-x2'], 1],
  ['realesr-general-x4v3', 2, ['realesr-general-x4v3'], 2],
])('%s enlarges %i times by %j', (id, scale, expected, reduction) => {
  const upscaler = UPSCALERS.find((each) => each.id === id);
  const passes = upscaler && planPasses(upscaler, scale);
  expect(passes?.networks.map(({ card }) => card.id)).toEqual(expected);
  expect(passes?.reduction).toBe(reduction);
});
