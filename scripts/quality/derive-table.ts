import { interpolate } from '../../models/files/quality/encoder-setting.ts';

/** Setting or number, and its result. */
export type Point = readonly [x: number, y: number];

/** Mean similarity and bytes of a setting, over one set of photographs. */
export interface Measured {
  readonly setting: number;
  readonly similarity: number;
  readonly bytes: number;
}

/**
 * Derives an encoder's table: for each of our numbers the setting that reaches the JPEG's similarity, with a margin.
 * @param jpeg our JPEG at rising numbers
 * @param encoder at settings from its worst to its best, one per row
 * @param best the setting for 100
 * @param margin part of the JPEG's loss, 1 - similarity, that the encoder must stay below
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
  const curve = rising(encoder);
  let last = worst.setting;
  const points = jpeg.map(({ setting: number, similarity }): Point => {
    const exact = interpolate(curve, similarity + margin * (1 - similarity));
    const rounded = Number((Math.round(exact / step) * step).toFixed(1));
    last = isRising ? Math.max(last, rounded) : Math.min(last, rounded);
    return [number, last];
  });
  return [[1, worst.setting], ...points, [100, best]];
}

/** Returns settings by similarity; levels dips from noise. */
function rising(encoder: readonly Measured[]): Point[] {
  let most = Number.NEGATIVE_INFINITY;
  return encoder.flatMap(({ similarity, setting }): Point[] => {
    if (similarity <= most) return [];
    most = similarity;
    return [[similarity, setting]];
  });
}
