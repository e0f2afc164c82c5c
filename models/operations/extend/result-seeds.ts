import type { OutpaintParams } from './schema.ts';

/**
 * Returns one seed for each result. They wrap around at the largest one.
 * @param usual first seed of a request that names none
 */
export function resultSeeds(
  { seed, num_images }: Pick<OutpaintParams, 'seed' | 'num_images'>,
  usual: number,
): readonly number[] {
  return Array.from({ length: num_images }, (_, at) => ((seed ?? usual) + at) % 2 ** 32);
}
