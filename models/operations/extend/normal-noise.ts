/**
 * Returns normally distributed numbers of mean 0 and deviation 1, the same for the same random numbers (Box and Muller,
 * 1958).
 * @param random numbers from 0 to 1, without 1
 */
export function normalNoise(length: number, random: () => number): Float32Array<ArrayBuffer> {
  const noise = new Float32Array(length);
  for (let at = 0; at < length; at += 2) {
    const radius = Math.sqrt(-2 * Math.log(1 - random()));
    const angle = 2 * Math.PI * random();
    noise[at] = radius * Math.cos(angle);
    if (at + 1 < length) noise[at + 1] = radius * Math.sin(angle);
  }
  return noise;
}
