/** Converts linear light to sRGB's encoding; odd, so that values outside the range stay outside. */
export function toGamma(value: number): number {
  const size = Math.abs(value);
  return size > 0.0031308 ? Math.sign(value) * (1.055 * size ** (1 / 2.4) - 0.055) : 12.92 * value;
}

/** Converts sRGB's encoding to linear light; odd as well. */
export function toLinear(value: number): number {
  const size = Math.abs(value);
  return size > 0.04045 ? Math.sign(value) * ((size + 0.055) / 1.055) ** 2.4 : value / 12.92;
}
