'use client';

import { useState } from 'react';
import type { ImageSize } from '../../../models/core/runtime/raster.ts';
import { ChoiceGroup } from '../form/choice-group.tsx';
import { MARGIN_MAX, type Margins, marginsFor, RATIOS, type Ratio, ratioOf } from './margins.ts';
import { INITIAL_MARGIN } from './settings.ts';

interface ShapeChoiceProps {
  /** Size of the selected image; undefined without one, and until it is known. */
  readonly size: ImageSize | undefined;
  readonly margins: Margins;
  readonly disabled: boolean;
  readonly onMargins: (margins: Margins) => void;
}

const FREE = 'Free';
const SHAPES = [FREE, ...(Object.keys(RATIOS) as Ratio[])] as const;
const EVEN = {
  left: INITIAL_MARGIN,
  right: INITIAL_MARGIN,
  top: INITIAL_MARGIN,
  bottom: INITIAL_MARGIN,
};

/** Chooses a ratio, which sets the margins. Margins of any other kind are free. */
export function RatioChoice({ size, margins, disabled, onMargins }: ShapeChoiceProps) {
  const [pressed, setPressed] = useState<Ratio>();
  const chosen = size && ratioOf(size, margins, pressed);
  return (
    <ChoiceGroup
      type="radio"
      label="Shape"
      name="shape"
      values={SHAPES}
      labelOf={(shape) => shape}
      isChecked={(shape) => shape === (chosen ?? FREE)}
      explanation={size ? explain(size, chosen) : 'Add an image to choose a ratio.'}
      disabled={disabled || !size}
      onPress={(shape) => {
        if (!size) return;
        setPressed(shape === FREE ? undefined : shape);
        onMargins(shape === FREE ? EVEN : marginsFor(size, RATIOS[shape]).margins);
      }}
    />
  );
}

function explain(size: ImageSize, chosen: Ratio | undefined): string {
  if (!chosen) return 'Drag the edges, or choose a ratio.';
  return marginsFor(size, RATIOS[chosen]).isReached
    ? `Just as much is added as ${chosen} needs.`
    : `${chosen} can't be reached: it needs more than ${MARGIN_MAX} pixels on a side.`;
}
