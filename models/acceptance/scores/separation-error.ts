/** Sound as its channels. */
export type Sound = readonly Float32Array[];

/** Returns the ratio of a signal to the estimate's error, in dB. */
export function signalToDistortion(truth: Sound, estimate: Sound): number {
  return decibels(truth, estimate, 1);
}

/**
 * Returns the ratio of a signal to the estimate's error, whatever its gain, in dB: J. Le Roux et al., "SDR: half-baked
 * or well done?" (ICASSP, 2019).
 */
export function scaleInvariantRatio(truth: Sound, estimate: Sound): number {
  return decibels(truth, estimate, inner(truth, estimate) / inner(truth, truth));
}

/** Returns the power of a sound over that of another one, in dB. */
export function levelOver(sound: Sound, other: Sound): number {
  return 10 * Math.log10(inner(sound, sound) / inner(other, other));
}

/** Returns how alike two sounds are, whatever their gains: the cosine of their angle, 0 where one of them is silent. */
export function likeness(one: Sound, other: Sound): number {
  const powers = inner(one, one) * inner(other, other);
  return powers > 0 ? Math.abs(inner(one, other)) / Math.sqrt(powers) : 0;
}

/** Returns the sum of sounds of one length. */
export function sumOf(sounds: readonly Sound[]): Sound {
  const [first, ...others] = sounds;
  return first.map((samples, channel) =>
    samples.map((sample, at) => others.reduce((sum, other) => sum + (other[channel][at] ?? 0), sample)),
  );
}

function decibels(truth: Sound, estimate: Sound, gain: number): number {
  let [power, error] = [0, 0];
  truth.forEach((samples, channel) => {
    const estimated = estimate[channel];
    for (let at = 0; at < samples.length; at++) {
      const wanted = gain * samples[at];
      power += wanted ** 2;
      error += (wanted - (estimated[at] ?? 0)) ** 2;
    }
  });
  return 10 * Math.log10(power / error);
}

function inner(one: Sound, other: Sound): number {
  let sum = 0;
  one.forEach((samples, channel) => {
    const beside = other[channel];
    for (let at = 0; at < samples.length; at++) sum += samples[at] * (beside[at] ?? 0);
  });
  return sum;
}
