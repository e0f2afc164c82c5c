'use client';

import { SIDE_MIN } from '../../../../models/operations/remove-bg/canvas-sizes.ts';
import { CANVAS_SIDE_MAX } from '../../../../models/operations/remove-bg/placement/lay-out-subject.ts';
import { NumberField } from '../../form/number-field.tsx';
import type { Size } from '../../stage/view/stage-geometry.ts';

const SIDE = {
  min: SIDE_MIN,
  max: CANVAS_SIDE_MAX,
  isInteger: true,
  isOptional: false,
  initial: undefined,
} as const;
const MEANS = `${SIDE_MIN} to ${CANVAS_SIDE_MAX} pixels.`;

interface FreeSizeProps {
  readonly size: Size;
  /** @param gesture name of the side that is typed */
  readonly onSize: (size: Size, gesture: string) => void;
}

/** Width and height of a canvas, in pixels. */
export function FreeSize({ size, onSize }: FreeSizeProps) {
  return (['width', 'height'] as const).map((side) => (
    <NumberField
      key={side}
      field={{ kind: 'number', name: `canvas-${side}`, ...SIDE }}
      label={side === 'width' ? 'Width' : 'Height'}
      value={size[side]}
      explanation={MEANS}
      onChange={(value) => value !== undefined && onSize({ ...size, [side]: value }, side)}
    />
  ));
}
