'use client';

import { getKeys } from '../../../models/core/records.ts';
import type { ImageSize } from '../../../models/core/runtime/raster.ts';
import { acceptsPrompt, OUTPAINT_ENGINES } from '../../../models/operations/extend/engines.ts';
import { ASPECT_RATIOS, type AspectRatio } from '../../../models/operations/extend/geometry.ts';
import { probeImageFile } from '../files/open-bitmap.ts';
import { ChoiceGroup } from '../form/choice-field.tsx';
import { FormatChoice } from '../form/format-choice.tsx';
import { describeTerms, type Model } from '../form/model.ts';
import { ModelPicker } from '../form/model-picker.tsx';
import form from '../form/params-form.module.css';
import { ParamsForm } from '../form/params-form.tsx';
import { useRunActions, useRunOutline, useRunSettings } from '../runs/runs-context.ts';
import { useFacts } from '../stage/facts.tsx';
import type { ParamValues } from '../tools/fields.ts';
import styles from './extend.module.css';
import { MarginFields } from './frame-edges.tsx';
import { FREE, freeMargins, getMargins, getShape } from './margins.ts';
import { SeedField } from './seed-field.tsx';
import { FORMATS, hasVariants, INITIAL_MARGIN, VARIANTS_FIELD, ZOOM_FIELD } from './settings.ts';
import type { PickedVariants } from './use-picked-variants.ts';

interface ShapeChoiceProps {
  readonly shape: AspectRatio | undefined;
  readonly disabled: boolean;
  readonly onShape: (values: ParamValues) => void;
}

const SHAPES = [FREE, ...getKeys(ASPECT_RATIOS)] as const;

const EVEN = {
  left: INITIAL_MARGIN,
  right: INITIAL_MARGIN,
  top: INITIAL_MARGIN,
  bottom: INITIAL_MARGIN,
};

const LENGTH_MAX = 2000;

interface PromptFieldProps {
  readonly prompt: string;
  readonly disabled: boolean;
  /** Called once the visitor has left the field, with a text that differs. */
  readonly onPrompt: (prompt: string) => void;
}

const BEST: Model = { id: 'auto', name: 'Best available', notes: [] };

/** Models to choose from: the best available first. */
const MODELS: readonly Model[] = [
  BEST,
  ...OUTPAINT_ENGINES.map(({ id, name, card, companions = [] }): Model => {
    if (!card)
      return {
        id,
        name,
        notes: ['Repeats the image: good for sky, water, grass and walls.'],
      };
    const work = acceptsPrompt(id) ? 'Paints what a prompt says.' : 'Continues shapes.';
    return { id, name, notes: [work, describeTerms(card)], weights: [[card, ...companions]] };
  }),
];

/** Models on the server, for which this device needs nothing. */
const MODELS_ON_SERVER: readonly Model[] = MODELS.map(({ id, name, notes }) => ({ id, name, notes }));

interface ExtendSettingsProps {
  readonly picked: PickedVariants;
}

const NOTHING = new Blob();

const WORDING = {
  fields: {
    zoom_out_percentage: {
      label: 'Zoom out',
      explain: ({ zoom_out_percentage: zoom }: ParamValues) =>
        Number(zoom) < 100 ? `The image shrinks to ${zoom} %.` : '',
    },
    num_images: {
      label: 'Variants',
      explain: ({ num_images: variants }: ParamValues) =>
        Number(variants) > 1 ? 'Pick one of them afterwards.' : '',
    },
  },
};

/** Settings of the extender. A change keeps the results until the files run again. */
export function ExtendSettings({ picked }: ExtendSettingsProps) {
  const { values, location } = useRunSettings();
  const { selected, isRunning } = useRunOutline();
  const { change } = useRunActions();
  const size = useFacts<ImageSize>(selected?.file ?? NOTHING, probeImageFile);
  const margins = getMargins(size, values);
  const form = { wording: WORDING, values, disabled: isRunning, onChange: change };
  return (
    <>
      <ShapeChoice shape={getShape(values)} disabled={isRunning} onShape={change} />
      <MarginFields
        margins={margins}
        disabled={isRunning}
        onMargins={(chosen) => change(freeMargins(chosen))}
      />
      <ParamsForm {...form} name="Zoom" fields={[ZOOM_FIELD]} />
      <FormatChoice
        formats={FORMATS}
        format={values.output_format as keyof typeof FORMATS}
        disabled={isRunning}
        onFormat={(output_format) => change({ output_format })}
      />
      <ModelPicker
        name="engine"
        models={location === 'server' ? MODELS_ON_SERVER : MODELS}
        value={String(values.engine)}
        disabled={isRunning}
        onChoose={(engine) => change({ engine })}
      />
      {hasVariants(values) && (
        <>
          <SeedField picked={picked} />
          <ParamsForm {...form} name="Variants" fields={[VARIANTS_FIELD]} />
        </>
      )}
      {acceptsPrompt(String(values.engine)) && (
        <PromptField
          prompt={String(values.prompt ?? '')}
          disabled={isRunning}
          onPrompt={(prompt) => change({ prompt })}
        />
      )}
    </>
  );
}

/** Field for what the added area is to show, for a model that reads text. */
function PromptField({ prompt, disabled, onPrompt }: PromptFieldProps) {
  return (
    <div className={form.field}>
      <label className={form.label} htmlFor="prompt">
        Prompt
      </label>
      <textarea
        id="prompt"
        className={styles.prompt}
        rows={3}
        maxLength={LENGTH_MAX}
        placeholder="a meadow under a cloudy sky"
        key={prompt}
        defaultValue={prompt}
        disabled={disabled}
        aria-describedby="prompt-means"
        onBlur={({ currentTarget: { value } }) => value.trim() !== prompt && onPrompt(value.trim())}
      />
      <p id="prompt-means" className="note">
        What to add, in English.
      </p>
    </div>
  );
}

/** Chooses the shape that every image gets, each by its own margins. */
function ShapeChoice({ shape, disabled, onShape }: ShapeChoiceProps) {
  return (
    <ChoiceGroup
      type="radio"
      label="Shape"
      name="shape"
      values={SHAPES}
      getLabel={(each) => each}
      isChecked={(each) => each === (shape ?? FREE)}
      explanation={''}
      disabled={disabled}
      onPress={(each) => onShape(each === FREE ? freeMargins(EVEN) : { shape: each })}
    />
  );
}
