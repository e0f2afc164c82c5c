import type { ParamValues } from '../tools/fields.ts';

/** Change of an image's orientation by a press of a button. */
export type Turn = 'left' | 'right' | 'horizontal' | 'vertical';

/**
 * Adds a turn or a flip to the orientation that an image has: the values of `rotate` and `flip`, which comes after the
 * rotation.
 */
export function addTurn({ rotate, flip }: ParamValues, turn: Turn): ParamValues {
  const degrees = Number(rotate ?? 0);
  if (turn === 'left' || turn === 'right') {
    // Behind a mirror, a turn to the right is one to the left.
    const isRight = (turn === 'right') === (flip === undefined);
    return orient(degrees + (isRight ? 90 : 270), flip);
  }
  if (flip === undefined) return orient(degrees, turn);
  // Both flips together are half a turn.
  return flip === turn ? orient(degrees, undefined) : orient(degrees + 180, undefined);
}

function orient(degrees: number, flip: ParamValues[string]): ParamValues {
  return { rotate: degrees % 360 || undefined, flip };
}
