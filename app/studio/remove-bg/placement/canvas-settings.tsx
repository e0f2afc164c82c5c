'use client';

import { Redo2, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { CANVAS_SIDE_MAX } from '../../../../models/operations/remove-bg/placement/lay-out-subject.ts';
import { MARGIN_MAX, SIDE_MIN } from '../../../../models/operations/remove-bg/placement.ts';
import { ChoiceGroup } from '../../form/choice-field.tsx';
import { FoldedSettings } from '../../form/folded-settings.tsx';
import { NumberField, Slider } from '../../form/number-field.tsx';
import type { Size } from '../../stage/view/stage-geometry.ts';
import type { SharedEditsState } from '../edits/use-cutout-edits.ts';
import { type CanvasEdits, type CanvasSize, getFreeSize, IN_PLACE } from './canvas-edits.ts';
import styles from './canvas-settings.module.css';

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

const SIZES: Readonly<Record<CanvasSize, { readonly label: string; readonly means: string }>> = {
  image: { label: 'Image', means: 'The subject stays where it is in its image.' },
  subject: { label: 'Crop', means: 'Cropped to the subject, with space around it.' },
  square: { label: 'Square', means: 'A square around the subject.' },
  '4:5': { label: '4:5', means: 'Portrait for a feed, around the subject.' },
  '9:16': { label: '9:16', means: 'A story, around the subject.' },
  marketplace: { label: 'Shop', means: '2000 x 2000 pixels. Marketplaces ask for white.' },
  passport: { label: 'Passport', means: '35 x 45 mm. Open Place to fit the head between the lines.' },
  free: { label: 'Free', means: 'A width and a height of your own.' },
};

const SHADOWS = {
  none: { label: 'None', means: 'No shadow.' },
  soft: { label: 'Soft', means: 'A soft shadow behind the subject.' },
  contact: { label: 'Contact', means: 'A shadow where the subject touches the ground.' },
} as const satisfies Readonly<Record<CanvasEdits['shadow'], unknown>>;

const ICON = { size: 18, strokeWidth: 1.5, 'aria-hidden': true } as const;

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
        values={Object.keys(SHADOWS) as CanvasEdits['shadow'][]}
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
  /** What only some canvases have. */
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
          values={Object.keys(SIZES) as CanvasSize[]}
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
        <History look={look} />
      </div>
    </FoldedSettings>
  );
}

/** Takes changes back, and puts the subject where it was. */
function History({ look }: { readonly look: SharedEditsState }) {
  const { size, shadow, position } = look.canvas;
  return (
    <div className={styles.history}>
      <button type="button" className="button" disabled={!look.canUndo} onClick={look.undo}>
        <Undo2 {...ICON} /> Undo
      </button>
      <button type="button" className="button" disabled={!look.canRedo} onClick={look.redo}>
        <Redo2 {...ICON} /> Redo
      </button>
      <button
        type="button"
        className="button button-quiet"
        disabled={size === 'image' && shadow === 'none' && !position}
        onClick={() => look.setCanvas(IN_PLACE)}
      >
        Reset
      </button>
    </div>
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
