/** Steps of noise that the networks were trained with. */
export const TRAINED_STEPS = 1000;
/** Variance that the first and the last step add; their square roots are interpolated linearly between. */
const [FIRST_VARIANCE, LAST_VARIANCE] = [0.00085, 0.012];
/** Share of the image's variance that is left after each step: the running product of what each one keeps. */
const SIGNAL_SHARES = signalShares();

/** Way from noise to latents, in steps. */
export interface Sampler {
  /** Steps of the schedule at which the network is asked, the noisiest first. */
  readonly timesteps: readonly number[];
  /**
   * Returns the latents of the next timestep.
   * @param predicted noise in `latents`, as the network has it
   * @param at index of the timestep
   * @param noise fresh one, for samplers that add it
   */
  step(
    latents: Float32Array,
    predicted: Float32Array,
    at: number,
    noise: () => Float32Array,
  ): Float32Array<ArrayBuffer>;
}

/** Distance of the timesteps from the ends of their intervals. */
const DDIM_OFFSET = 1;

/**
 * Returns the deterministic sampler of Song, Meng and Ermon ("Denoising Diffusion Implicit Models", ICLR 2021), with
 * the leading timesteps of Stable Diffusion.
 * @param count a divisor of 1000
 */
export function ddimSampler(count: number): Sampler {
  const stride = Math.floor(TRAINED_STEPS / count);
  const timesteps = Array.from({ length: count }, (_, at) => (count - 1 - at) * stride + DDIM_OFFSET);
  return {
    timesteps,
    step(latents, predicted, at) {
      const timestep = timesteps[at];
      const next = signalShareAt(timestep - stride);
      const clean = cleanLatents(latents, predicted, timestep);
      const [signal, noise] = [Math.sqrt(next), Math.sqrt(1 - next)];
      return clean.map((value, pixel) => signal * value + noise * predicted[pixel]);
    },
  };
}

/** Steps that the network was distilled from, data deviation, and scale of the timesteps in the boundary condition. */
const [LCM_STEPS, LCM_DEVIATION, LCM_SCALE] = [50, 0.5, 10];

/**
 * Returns the sampler of latent consistency models (Luo et al., 2023): each step predicts the image, and all but the
 * last add fresh noise to it.
 * @param count at most 50
 */
export function lcmSampler(count: number): Sampler {
  const stride = TRAINED_STEPS / LCM_STEPS;
  const timesteps = Array.from({ length: count }, (_, at) => {
    const skipped = Math.floor((at * LCM_STEPS) / count);
    return (LCM_STEPS - skipped) * stride - 1;
  });
  return {
    timesteps,
    step(latents, predicted, at, noise) {
      const timestep = timesteps[at];
      const { skip, out } = lcmShares(timestep);
      const clean = cleanLatents(latents, predicted, timestep).map(
        (value, pixel) => out * value + skip * latents[pixel],
      );
      const next = timesteps[at + 1];
      return next === undefined ? clean : addNoise(clean, noise(), next);
    },
  };
}

/**
 * Returns the shares of the noisy latents and of the predicted ones that meet a consistency model's boundary condition.
 */
export function lcmShares(timestep: number): { readonly skip: number; readonly out: number } {
  const scaled = timestep * LCM_SCALE;
  const square = scaled ** 2 + LCM_DEVIATION ** 2;
  return { skip: LCM_DEVIATION ** 2 / square, out: scaled / Math.sqrt(square) };
}

/** Removes the predicted noise. */
function cleanLatents(
  latents: Float32Array,
  predicted: Float32Array,
  timestep: number,
): Float32Array<ArrayBuffer> {
  const share = signalShareAt(timestep);
  const [signal, noise] = [Math.sqrt(share), Math.sqrt(1 - share)];
  return Float32Array.from(latents, (value, at) => (value - noise * predicted[at]) / signal);
}

/**
 * Strengthens what a text changes (Ho and Salimans, "Classifier-Free Diffusion Guidance", 2022).
 * @param without prediction for an empty text
 * @param scale 1 leaves the prediction for the text
 */
export function applyGuidance(
  without: Float32Array,
  withText: Float32Array,
  scale: number,
): Float32Array<ArrayBuffer> {
  return Float32Array.from(without, (value, at) => value + scale * (withText[at] - value));
}

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
