'use client';

import { Crop, FlipHorizontal2, FlipVertical2, type LucideIcon, RotateCcw, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { getKeys } from '../../../models/core/records.ts';
import type { ImageSize } from '../../../models/core/runtime/raster.ts';
import { probeImageFile } from '../files/open-bitmap.ts';
import { FoldedForm, ParamsForm } from '../form/params-form.tsx';
import { useRunActions, useRunOutline, useRunSettings } from '../runs/runs-context.ts';
import { useSessionState } from '../session/use-session-state.ts';
import { useFacts } from '../stage/facts.tsx';
import { largestRegion } from '../stage/region-geometry.ts';
import type { Field, ParamValues } from '../tools/fields.ts';
import { cropValue, SHARE_FIELD, SHARE_WORDING } from './file-geometry.ts';
import styles from './geometry-settings.module.css';
import { GEOMETRY_WORDING } from './geometry-wording.ts';
import { addTurn, type Turn } from './turns.ts';

const NOTHING = new Blob();

/** Fields whose controls are those of a form. */
const FORM_FIELDS = ['width', 'height', 'fit', 'gravity', 'pad_color', 'background', 'enlarge'];
const FIELDS = ['crop', 'rotate', 'flip', ...FORM_FIELDS];

const ORIGINAL = { share: undefined, width: undefined, height: undefined, fit: undefined } as const;

const TURNS: readonly (readonly [Turn, string, LucideIcon])[] = [
  ['left', 'Turn left', RotateCcw],
  ['right', 'Turn right', RotateCw],
  ['horizontal', 'Flip left to right', FlipHorizontal2],
  ['vertical', 'Flip top to bottom', FlipVertical2],
];

/** Shapes of a crop, width to height; without a number it is free, or that of the image. */
const SHAPES = {
  Free: undefined,
  '1:1': 1,
  '4:5': 4 / 5,
  '3:2': 3 / 2,
  '16:9': 16 / 9,
  '9:16': 9 / 16,
} as const;

export type ShapeName = keyof typeof SHAPES;

const SHAPE_NAMES = getKeys(SHAPES);

/** Sizes to choose from: a share of each image, its longest side, or both sides filled. */
const SIZES: readonly { readonly name: string; readonly size: ParamValues }[] = [
  { name: 'Original', size: ORIGINAL },
  { name: '50 %', size: { ...ORIGINAL, share: 50 } },
  { name: '25 %', size: { ...ORIGINAL, share: 25 } },
  ...[2048, 1280, 640].map((side) => ({
    name: String(side),
    size: { ...ORIGINAL, width: side, height: side },
  })),
  { name: '1080 × 1080', size: { ...ORIGINAL, width: 1080, height: 1080, fit: 'cover' } },
  { name: '2000 × 2000', size: { ...ORIGINAL, width: 2000, height: 2000, fit: 'contain' } },
];

/** Leaves out what a change made meaningless. */
function settle(next: ParamValues): ParamValues {
  return {
    ...next,
    // Typed pixels replace a share.
    share: next.width === undefined && next.height === undefined ? next.share : undefined,
    // Only a cut image keeps what draws the eye.
    gravity: next.fit !== 'cover' && next.gravity === 'attention' ? undefined : next.gravity,
  };
}

/** Returns whether the crop is shown on the stage, and its shape. */
export function useCropping() {
  const [isCropping, setCropping] = useSessionState('media-convert-image/cropping', false);
  const [shapeName, setShapeName] = useSessionState<ShapeName>('media-convert-image/shape', 'Free');
  return { isCropping, setCropping, shapeName, shape: SHAPES[shapeName], setShapeName };
}

/** Settings of the geometry of images: crop, turns, size and what is around them. */
export function GeometrySettings({ fields }: { readonly fields: readonly Field[] }) {
  const { values } = useRunSettings();
  const { isRunning, selected } = useRunOutline();
  const { applyAndStart, change } = useRunActions();
  const image = useFacts<ImageSize>(selected?.file ?? NOTHING, probeImageFile);
  const apply = (next: ParamValues) => applyAndStart(settle(next));
  const own = [...fields.filter(({ name }) => FIELDS.includes(name)), SHARE_FIELD];
  const form = {
    wording: { fields: { ...GEOMETRY_WORDING, ...SHARE_WORDING } },
    values,
    disabled: isRunning,
    onChange: apply,
  };
  return (
    <FoldedForm title="Crop, rotate and resize" fields={own} {...form}>
      <div className={styles.groups}>
        <CropControls image={image} values={values} disabled={isRunning} />
        <ButtonGroup label="Rotate and flip" disabled={isRunning}>
          {TURNS.map(([turn, name, Icon]) => (
            <button
              key={turn}
              type="button"
              className="button"
              aria-label={name}
              title={name}
              onClick={() => change(addTurn(values, turn))}
            >
              <Icon size={20} strokeWidth={1.5} aria-hidden />
            </button>
          ))}
        </ButtonGroup>
        <ButtonGroup label="Size" disabled={isRunning}>
          {SIZES.map(({ name, size }) => (
            <button
              key={name}
              type="button"
              className="button"
              aria-pressed={Object.entries(size).every(([key, value]) => values[key] === value)}
              onClick={() => apply({ ...values, ...size })}
            >
              {name}
            </button>
          ))}
        </ButtonGroup>
        <ParamsForm
          name="Size and space"
          {...form}
          fields={own.filter(({ name }) => FORM_FIELDS.includes(name))}
        />
      </div>
    </FoldedForm>
  );
}

interface CropControlsProps {
  readonly image: ImageSize | undefined;
  readonly values: ParamValues;
  readonly disabled: boolean;
}

/** Opens the crop on the stage, and chooses its shape. */
function CropControls({ image, values, disabled }: CropControlsProps) {
  const { isCropping, setCropping, shapeName, setShapeName } = useCropping();
  const { change } = useRunActions();
  const choose = (name: ShapeName) => {
    setShapeName(name);
    const shape = SHAPES[name];
    if (!image || shape === undefined) return;
    change({ crop: cropValue(largestRegion(image, shape), image, shape) });
  };
  return (
    <>
      <ButtonGroup label="Crop" disabled={disabled || !image}>
        <button
          type="button"
          className="button"
          aria-pressed={isCropping}
          onClick={() => setCropping(!isCropping)}
        >
          <Crop size={20} strokeWidth={1.5} aria-hidden />
          {isCropping ? 'Done' : 'Crop on the image'}
        </button>
        {values.crop !== undefined && (
          <button type="button" className="button" onClick={() => change({ crop: undefined })}>
            Remove crop
          </button>
        )}
      </ButtonGroup>
      {isCropping && (
        <ButtonGroup label="Shape of the crop" disabled={disabled || !image}>
          {SHAPE_NAMES.map((name) => (
            <button
              key={name}
              type="button"
              className="button"
              aria-pressed={name === shapeName}
              onClick={() => choose(name)}
            >
              {name}
            </button>
          ))}
        </ButtonGroup>
      )}
    </>
  );
}

interface ButtonGroupProps {
  readonly label: string;
  readonly disabled: boolean;
  readonly children: ReactNode;
}

function ButtonGroup({ label, disabled, children }: ButtonGroupProps) {
  return (
    <fieldset className={styles.group} disabled={disabled}>
      <legend>{label}</legend>
      {children}
    </fieldset>
  );
}
