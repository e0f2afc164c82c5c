/** Number of colours of lanes. From the next speaker on they repeat, with stripes. */
export const COLOUR_COUNT = 6;

/** Returns the number of a speaker's colour, 1 to 6, by the order of first turns. */
export function colourOf(place: number): number {
  return (place % COLOUR_COUNT) + 1;
}
