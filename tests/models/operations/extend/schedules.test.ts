import { expect, test } from 'vitest';
import { normalNoise } from '../../../../models/operations/extend/paint-window.ts';
import {
  applyGuidance,
  ddimSampler,
  lcmSampler,
  lcmShares,
  signalShareAt,
} from '../../../../models/operations/extend/samplers.ts';
import { seededRandom } from '../../../../models/operations/extend/seeded-random.ts';

test('the noise schedule is that of Stable Diffusion', () => {
  expect(signalShareAt(0)).toBeCloseTo(0.99915, 8);
  expect(signalShareAt(999)).toBeCloseTo(0.00466, 5);
  // Published sigmas: the standard deviation of the noise next to an image of its original size.
  const sigmaAt = (timestep: number) => Math.sqrt(1 / signalShareAt(timestep) - 1);
  expect(sigmaAt(999)).toBeCloseTo(14.6146, 3);
  expect(sigmaAt(0)).toBeCloseTo(0.0292, 4);
});

test('the samplers have the published timesteps', () => {
  expect(ddimSampler(50).timesteps.slice(0, 3)).toEqual([981, 961, 941]);
  expect(ddimSampler(25).timesteps.at(-1)).toBe(1);
  expect(lcmSampler(4).timesteps).toEqual([999, 759, 499, 259]);
  expect(lcmSampler(8).timesteps).toEqual([999, 879, 759, 639, 499, 379, 259, 139]);
});

test('the consistency model keeps its boundary condition', () => {
  expect(lcmShares(0)).toEqual({ skip: 1, out: 0 });
  const { skip, out } = lcmShares(999);
  expect(skip).toBeLessThan(1e-8);
  expect(out).toBeCloseTo(1, 6);
});

test.each([
  ['DDIM', ddimSampler(25)],
  ['LCM', lcmSampler(4)],
])('%s finds an image again whose noise is known', (_name, sampler) => {
  const image = Float32Array.of(0.5, -1, 0.2, 0);
  const random = seededRandom(3);
  let latents = normalNoise(4, random);
  sampler.timesteps.forEach((timestep, at) => {
    const share = signalShareAt(timestep);
    const noise = latents.map(
      (value, place) => (value - Math.sqrt(share) * (image[place] as number)) / Math.sqrt(1 - share),
    );
    latents = sampler.step(latents, noise, at, () => normalNoise(4, random));
  });
  latents.forEach((value, place) => {
    expect(Math.abs(value - (image[place] as number))).toBeLessThan(0.05);
  });
});

test('guidance goes on past the text', () => {
  expect([...applyGuidance(Float32Array.of(1, 2), Float32Array.of(2, 2), 7.5)]).toEqual([8.5, 2]);
});

test('noise is normal, and the same for the same seed', () => {
  const noise = normalNoise(20_001, seededRandom(1));
  expect(noise).toEqual(normalNoise(20_001, seededRandom(1)));
  expect(noise).not.toEqual(normalNoise(20_001, seededRandom(2)));
  const mean = noise.reduce((sum, value) => sum + value, 0) / noise.length;
  const variance = noise.reduce((sum, value) => sum + (value - mean) ** 2, 0) / noise.length;
  expect(Math.abs(mean)).toBeLessThan(0.03);
  expect(Math.abs(variance - 1)).toBeLessThan(0.03);
});
