'use client';

import type { ReactNode } from 'react';
import { getKeys } from '../../../../models/core/records.ts';
import type { ImageSize } from '../../../../models/core/runtime/raster.ts';
import {
  CANVAS_SIDE_MAX,
  MARGIN_MAX,
  SIDE_MIN,
} from '../../../../models/operations/remove-bg/lay-out-subject.ts';
import { ChoiceGroup } from '../../form/choice-field.tsx';
import { FoldedSettings } from '../../form/folded-settings.tsx';
import { NumberField, Slider } from '../../form/number-field.tsx';
import { type CanvasEdits, type CanvasSize, getFreeSize, IN_PLACE } from './canvas-edits.ts';
import styles from './canvas-settings.module.css';
import type { SharedEditsState } from './use-cutout-edits.ts';

const SIDE = {
  min: SIDE_MIN,
  max: CANVAS_SIDE_MAX,
  isInteger: true,
  isOptional: false,
  initial: undefined,
} as const;

const MEANS = `${SIDE_MIN} to ${CANVAS_SIDE_MAX} pixels.`;

interface FreeSizeProps {
  readonly size: ImageSize;
  /** @param gesture name of the side that is typed */
  readonly onSize: (size: ImageSize, gesture: string) => void;
}

const SIZES: Readonly<Record<CanvasSize, { readonly label: string; readonly means: string }>> = {
  image: { label: 'Image', means: '' },
  subject: { label: 'Crop', means: 'Cropped to the subject.' },
  square: { label: 'Square', means: '' },
  '4:5': { label: '4:5', means: 'For a feed.' },
  '9:16': { label: '9:16', means: 'For a story.' },
  marketplace: { label: 'Shop', means: '2000 × 2000. Marketplaces ask for white.' },
  passport: { label: 'Passport', means: '35 × 45 mm. Fit the head in Place.' },
  free: { label: 'Free', means: '' },
};

const SHADOWS = {
  none: { label: 'None', means: '' },
  soft: { label: 'Soft', means: '' },
  contact: { label: 'Contact', means: 'On the ground.' },
} as const satisfies Readonly<Record<CanvasEdits['shadow'], unknown>>;

/** Chooses the shadow of all subjects; the preview updates at once. */
export function ShadowSettings({ look }: { readonly look: SharedEditsState }) {
  const { canvas, setCanvas } = look;
  const { shadow, strength } = canvas;
  return (
    <div className={styles.shadow}>
      <ChoiceGroup
        type="radio"
        label="Shadow"
        name="shadow"
        values={getKeys(SHADOWS)}
        getLabel={(each) => SHADOWS[each].label}
        isChecked={(each) => each === shadow}
        explanation={SHADOWS[shadow].means}
        onPress={(next) => setCanvas({ shadow: next })}
      />
      {shadow !== 'none' && (
        <Slider
          label="Strength"
          value={strength}
          max={1}
          onValue={(next) => setCanvas({ strength: next }, 'strength')}
        />
      )}
    </div>
  );
}

interface CanvasSettingsProps {
  readonly look: SharedEditsState;
  /** Settings that only some canvases have. */
  readonly children: ReactNode;
}

/** Chooses canvas and margin of all images; the preview updates at once. */
export function CanvasSettings({ look, children }: CanvasSettingsProps) {
  const { canvas, setCanvas } = look;
  const { size, margin } = canvas;
  return (
    <FoldedSettings title="Canvas" summary={SIZES[size].label}>
      <div className={styles.canvas}>
        <ChoiceGroup
          type="radio"
          label="Size"
          name="canvas-size"
          values={getKeys(SIZES)}
          getLabel={(each) => SIZES[each].label}
          isChecked={(each) => each === size}
          explanation={SIZES[size].means}
          onPress={(next) => setCanvas({ size: next, position: null })}
        />
        {size === 'free' && (
          <FreeSize
            size={getFreeSize(canvas)}
            onSize={(freeSize, gesture) => setCanvas({ freeSize, position: null }, gesture)}
          />
        )}
        {size !== 'image' && (
          <Slider
            label="Space around"
            value={margin}
            max={MARGIN_MAX}
            onValue={(next) => setCanvas({ margin: next }, 'margin')}
          />
        )}
        {children}
        <div>
          <button
            type="button"
            className="button button-quiet"
            disabled={size === 'image' && canvas.shadow === 'none' && !canvas.position}
            onClick={() => setCanvas(IN_PLACE)}
          >
            Reset
          </button>
        </div>
      </div>
    </FoldedSettings>
  );
}

/** Width and height of a canvas, in pixels. */
function FreeSize({ size, onSize }: FreeSizeProps) {
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
