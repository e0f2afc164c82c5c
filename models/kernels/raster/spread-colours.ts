import type { ColourPlanes } from './colour-planes.ts';

/**
 * Gives transparent pixels the mean colour of their known neighbours, in place, ring by ring around what is visible: a
 * file holds anything there, and a filter would mix it into visible edges.
 * @param alpha of the pixels, 0 to 1
 * @param rings distance from visible pixels up to which colours are given, in pixels
 */
export function spreadColours(planes: ColourPlanes, alpha: Float32Array, rings: number): void {
  const { width, height, colours } = planes;
  const isKnown = Uint8Array.from(alpha, (value) => (value > 0 ? 1 : 0));
  const around = (place: number, known: 0 | 1): number[] => {
    const x = place % width;
    const y = (place - x) / width;
    const places: number[] = [];
    for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++) {
      for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++) {
        const at = row * width + column;
        if (isKnown[at] === known) places.push(at);
      }
    }
    return places;
  };
  let ring: Iterable<number> = new Set(placesOf(isKnown).flatMap((place) => around(place, 0)));
  for (let distance = 0; distance < rings; distance++) {
    const reached = [...ring];
    for (const place of reached) {
      const known = around(place, 1);
      for (let channel = 0; channel < 3; channel++) {
        const plane = channel * width * height;
        const sum = known.reduce((total, at) => total + (colours[plane + at] as number), 0);
        colours[plane + place] = sum / known.length;
      }
    }
    for (const place of reached) isKnown[place] = 1;
    ring = new Set(reached.flatMap((place) => around(place, 0)));
  }
}

/** Returns the known places that have an unknown place beside or below them, or before or above. */
function placesOf(isKnown: Uint8Array): number[] {
  const places: number[] = [];
  for (let place = 0; place < isKnown.length; place++) if (isKnown[place]) places.push(place);
  return places.length === isKnown.length ? [] : places;
}
