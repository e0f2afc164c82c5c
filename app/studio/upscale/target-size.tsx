'use client';

import type { ImageSize } from '../../../models/core/runtime/raster.ts';
import { CENTIMETRES_PER_INCH } from '../../../models/media/bytes/print-units.ts';
import type { ParamValues } from '../tools/fields.ts';
import styles from './settings.module.css';
import { PRINT_DPI, targetParams, toPixels } from './upscalers.ts';

const DPI_MAX = 1200;

interface TargetSizeProps {
  /** Size of the image before it is enlarged. */
  readonly size: ImageSize;
  /** Width of the result, in pixels. */
  readonly width: number;
  readonly dpi: number | undefined;
  readonly onChange: (values: ParamValues) => void;
}

/** Fields for the width of the result, in pixels or as it is printed. */
export function TargetSize({ size, width, dpi = PRINT_DPI, onChange }: TargetSizeProps) {
  const cm = Number(((width / dpi) * CENTIMETRES_PER_INCH).toFixed(1));
  return (
    <div className={styles.target}>
      <TargetField
        label="Width, px"
        value={width}
        onValue={(px) => onChange(targetParams(size, Math.round(px)))}
      />
      <TargetField
        label="In print, cm"
        value={cm}
        onValue={(next) => onChange({ ...targetParams(size, toPixels(next, dpi)), dpi })}
      />
      <TargetField
        label="dpi"
        value={dpi}
        max={DPI_MAX}
        onValue={(next) => onChange({ dpi: Math.round(next) })}
      />
    </div>
  );
}

interface TargetFieldProps {
  readonly label: string;
  readonly value: number;
  readonly max?: number;
  readonly onValue: (value: number) => void;
}

function TargetField({ label, value, max, onValue }: TargetFieldProps) {
  return (
    <label>
      {label}
      <input
        type="number"
        inputMode="decimal"
        min={1}
        max={max}
        step="any"
        // Read when it is left: what is half typed may be out of bounds.
        key={value}
        defaultValue={value}
        onBlur={({ currentTarget }) => {
          const typed = Math.min(currentTarget.valueAsNumber, max ?? Number.POSITIVE_INFINITY);
          currentTarget.value = String(value);
          if (typed >= 1 && typed !== value) onValue(typed);
        }}
      />
    </label>
  );
}
