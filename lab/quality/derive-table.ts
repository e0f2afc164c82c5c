import { interpolate } from '../../models/media/image/codec/quality-tables.ts';
import type { Similarity } from './ssim.ts';

/** Setting or number, and its result. */
export type Point = readonly [x: number, y: number];

/** Mean similarity and bytes of a setting, over one set of photographs. */
export interface Measured {
  readonly setting: number;
  readonly similarity: Similarity;
  readonly bytes: number;
}

/**
 * Derives an encoder's table: for each of our numbers the setting that reaches the JPEG's similarity, of luma with a
 * margin, and of all colours.
 * @param jpeg our JPEG at rising numbers
 * @param encoder at settings from its worst to its best, one per row
 * @param best the setting for 100
 * @param margin part of the JPEG's loss of luma, 1 - similarity, that the encoder must stay below
 * @returns points by rising number, with monotone settings
 */
export function deriveTable(
  jpeg: readonly Measured[],
  encoder: readonly Measured[],
  { best, step, margin }: { best: number; step: number; margin: number },
): Point[] {
  const [worst] = encoder;
  if (!worst) throw new RangeError('the encoder was not measured');
  const isRising = best > worst.setting;
  const curves = { luma: rising(encoder, 'luma'), colour: rising(encoder, 'colour') };
  let last = worst.setting;
  const points = jpeg.map(({ setting: number, similarity }): Point => {
    const byLuma = interpolate(curves.luma, similarity.luma + margin * (1 - similarity.luma));
    const byColour = interpolate(curves.colour, similarity.colour);
    const exact = isRising ? Math.max(byLuma, byColour) : Math.min(byLuma, byColour);
    const rounded = Number((Math.round(exact / step) * step).toFixed(1));
    last = isRising ? Math.max(last, rounded) : Math.min(last, rounded);
    return [number, last];
  });
  return [[1, worst.setting], ...points, [100, best]];
}

/** Returns settings by similarity; levels dips from noise. */
function rising(encoder: readonly Measured[], kind: keyof Similarity): Point[] {
  let most = Number.NEGATIVE_INFINITY;
  return encoder.flatMap(({ similarity, setting }): Point[] => {
    if (similarity[kind] <= most) return [];
    most = similarity[kind];
    return [[similarity[kind], setting]];
  });
}
