'use client';

import type { ImageSize } from '../../../../models/core/runtime/raster.ts';
import {
  enlargedPixels,
  OUTPUT_PIXELS_MAX,
  OUTPUT_SIDE_MAX,
} from '../../../../models/operations/upscale/scale-limits.ts';
import choices from '../../form/choice-field.module.css';
import form from '../../form/params-form.module.css';
import styles from './settings.module.css';

interface ScaleChoiceProps {
  readonly scales: readonly number[];
  readonly scale: number;
  /** Size of the selected file; undefined without one, and until it is known. */
  readonly size: ImageSize | undefined;
  readonly isVideo: boolean;
  readonly disabled: boolean;
  readonly onScale: (scale: number) => void;
}

/**
 * Chooses the factor, and says how large the result becomes. Factors beyond the limits cannot be chosen, with the
 * reason.
 */
export function ScaleChoice({ scales, scale, size, isVideo, disabled, onScale }: ScaleChoiceProps) {
  const unfits = scales.flatMap((each) => {
    const unfit = size && unfitReason(size, each, isVideo);
    return unfit ? [{ scale: each, reason: unfit }] : [];
  });
  return (
    <fieldset className={form.field} disabled={disabled} aria-describedby="scale-means">
      <legend className={form.label}>Size</legend>
      <div className={choices.choices} data-few>
        {scales.map((each) => (
          <label key={each} className={`${choices.choice} ${styles.scale}`}>
            <input
              type="radio"
              className="visually-hidden"
              name="scale"
              value={each}
              checked={each === scale}
              disabled={each !== scale && unfits.some(({ scale }) => scale === each)}
              onChange={() => onScale(each)}
            />
            <span>{each}×</span>
          </label>
        ))}
      </div>
      <p id="scale-means" className={form.explanation}>
        {size ? resultOf(size, scale) : 'Two, four or eight times as wide and as high.'}
        {unfits.map((each) => (
          <span key={each.scale} className={styles.unfit}>
            {each.reason}
          </span>
        ))}
      </p>
    </fieldset>
  );
}

function resultOf({ width, height }: ImageSize, scale: number): string {
  return `${width * scale} × ${height * scale} pixels, ${megapixels({ width, height }, scale)} megapixels.`;
}

function unfitReason(size: ImageSize, scale: number, isVideo: boolean): string | undefined {
  if (isVideo) {
    const side = Math.max(size.width, size.height) * scale;
    return side > OUTPUT_SIDE_MAX
      ? `${scale}× would be ${side} pixels long. Videos have at most ${OUTPUT_SIDE_MAX}.`
      : undefined;
  }
  return enlargedPixels(size, scale) > OUTPUT_PIXELS_MAX
    ? `${scale}× would be ${megapixels(size, scale)} megapixels. At most ${OUTPUT_PIXELS_MAX / 1e6} are possible.`
    : undefined;
}

function megapixels(size: ImageSize, scale: number): string {
  const count = enlargedPixels(size, scale) / 1e6;
  return count < 99.95 ? count.toFixed(1) : String(Math.ceil(count));
}
