/**
 * Reports whether two lists of samples of one length agree.
 * @param steps difference of a sample that is allowed
 */
export function isSimilar(one: Uint8Array, other: Uint8Array, steps: number): boolean {
  for (let at = 0; at < one.length; at++) {
    const difference = one[at] - other[at];
    if (difference > steps || difference < -steps) return false;
  }
  return true;
}
