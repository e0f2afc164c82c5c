/** Amount in millionths of a US dollar. An integer, so that no cent is ever lost to rounding. */
export type MicroUsd = bigint;

const MICRO_PER_USD = 1_000_000n;

/**
 * Parses a decimal amount of US dollars, such as `5`, `0.002` or `12.50`.
 * @throws RangeError when it is not a plain decimal number, or is finer than a millionth.
 */
export function parseUsd(text: string): MicroUsd {
  const match = /^(-?)(\d{1,12})(?:\.(\d{1,6}))?$/.exec(text.trim());
  if (!match) throw new RangeError(`"${text}" is not an amount in US dollars with at most 6 decimals`);
  const [, sign, whole = '0', fraction = ''] = match;
  const micro = BigInt(whole) * MICRO_PER_USD + BigInt(fraction.padEnd(6, '0'));
  return sign ? -micro : micro;
}

/** Formats a plain decimal string in US dollars with at least two decimals: `5.00`, `0.002`. */
export function formatUsd(amount: MicroUsd): string {
  const size = amount < 0n ? -amount : amount;
  const fraction = (size % MICRO_PER_USD)
    .toString()
    .padStart(6, '0')
    .replace(/0{1,4}$/, '');
  return `${amount < 0n ? '-' : ''}${size / MICRO_PER_USD}.${fraction}`;
}

/** Durations are sums of floating-point numbers: a smaller excess starts no second. */
const NOISE_SECONDS = 1e-6;

/**
 * Returns the billed seconds of a duration: all that were started, at least 1.
 * @param toleranceSeconds excess that starts no second, for durations from rounded headers
 */
export function billableSeconds(durationSeconds: number, toleranceSeconds = NOISE_SECONDS): number {
  return Math.max(1, Math.ceil(durationSeconds - toleranceSeconds));
}
