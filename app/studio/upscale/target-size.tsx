'use client';

import { CENTIMETRES_PER_INCH } from '../../../models/media/bytes/print-units.ts';
import { LabelledNumber } from '../form/number-field.tsx';
import form from '../form/params-form.module.css';
import type { ParamValues } from '../tools/fields.ts';
import { PRINT_DPI, toPixels } from './upscalers.ts';

const PIXELS = { min: 1, isInteger: true };
const CENTIMETRES = { min: 0.1 };
const DPI = { min: 1, max: 1200, isInteger: true };

interface TargetSizeProps {
  /** Width of the result, in pixels. */
  readonly width: number;
  readonly dpi: number | undefined;
  readonly onChange: (values: ParamValues) => void;
}

/** Fields for the width of the result, in pixels or as it is printed. */
export function TargetSize({ width, dpi = PRINT_DPI, onChange }: TargetSizeProps) {
  const cm = Number(((width / dpi) * CENTIMETRES_PER_INCH).toFixed(1));
  return (
    <div className={form.numbers}>
      <LabelledNumber
        label="Width, px"
        bounds={PIXELS}
        value={width}
        onChange={(px) => px !== undefined && onChange({ width: px })}
      />
      <LabelledNumber
        label="In print, cm"
        bounds={CENTIMETRES}
        value={cm}
        onChange={(next) => next !== undefined && onChange({ width: toPixels(next, dpi), dpi })}
      />
      <LabelledNumber label="dpi" bounds={DPI} value={dpi} onChange={(next) => onChange({ dpi: next })} />
    </div>
  );
}
