import { expect, it } from 'vitest';
import { planPasses, type Scale } from '../../../../models/operations/upscale/plan-passes.ts';
import { UPSCALERS } from '../../../../models/operations/upscale/upscalers.ts';

it.each<[string, Scale, string[], number]>([
  ['darkroom', 2, ['upscale-x2'], 1],
  ['darkroom', 4, ['upscale-x4'], 1],
  ['darkroom', 8, ['upscale-x4', 'upscale-x2'], 1],
  ['darkroom-restore', 2, ['upscale-restore-x2'], 1],
  ['darkroom-restore', 4, ['upscale-restore-x2', 'upscale-x2'], 1],
  ['darkroom-restore', 8, ['upscale-restore-x2', 'upscale-x4'], 1],
  ['darkroom-fast', 4, ['upscale-fast-x2', 'upscale-fast-x2'], 1],
  ['realesr-general-x4v3', 2, ['realesr-general-x4v3'], 2],
])('%s enlarges %i times by %j', (id, scale, expected, reduction) => {
  const upscaler = UPSCALERS.find((each) => each.id === id);
  const passes = upscaler && planPasses(upscaler, scale);
  expect(passes?.networks.map(({ card }) => card.id)).toEqual(expected);
  expect(passes?.reduction).toBe(reduction);
});
