/** Steps of noise that the networks were trained with. */
export const TRAINED_STEPS = 1000;
/** Variance that the first and the last step add; their square roots are interpolated linearly between. */
const [FIRST_VARIANCE, LAST_VARIANCE] = [0.00085, 0.012];

/** Share of the image's variance that is left after each step: the running product of what each one keeps. */
const SIGNAL_SHARES = signalShares();

function signalShares(): Float64Array {
  const shares = new Float64Array(TRAINED_STEPS);
  const [first, last] = [Math.sqrt(FIRST_VARIANCE), Math.sqrt(LAST_VARIANCE)];
  let share = 1;
  for (let step = 0; step < TRAINED_STEPS; step++) {
    share *= 1 - (first + ((last - first) * step) / (TRAINED_STEPS - 1)) ** 2;
    shares[step] = share;
  }
  return shares;
}

/**
 * Returns the share of an image's variance that is left at a step of Stable Diffusion's schedule (Rombach et al.,
 * "High-Resolution Image Synthesis with Latent Diffusion Models", CVPR 2022).
 * @param timestep below 0: as at 0
 */
export function signalShareAt(timestep: number): number {
  return SIGNAL_SHARES[Math.max(0, timestep)];
}

/** Mixes noise into latents as they are at a step. */
export function addNoise(
  latents: Float32Array,
  noise: Float32Array,
  timestep: number,
): Float32Array<ArrayBuffer> {
  const share = signalShareAt(timestep);
  const [signal, other] = [Math.sqrt(share), Math.sqrt(1 - share)];
  return Float32Array.from(latents, (value, at) => signal * value + other * noise[at]);
}
