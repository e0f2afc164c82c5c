'use client';

import type { ImageSize } from '../../../models/core/runtime/raster.ts';
import { acceptsPrompt } from '../../../models/operations/extend/engines.ts';
import { probeImageFile } from '../files/probe-image.ts';
import { FormatChoice } from '../form/format-choice.tsx';
import { ModelPicker } from '../form/model-picker.tsx';
import { ParamsForm } from '../form/params-form.tsx';
import { useRunActions, useRunOutline, useRunSettings } from '../runs/runs-context.ts';
import { useFacts } from '../stage/use-facts.ts';
import type { ParamValues } from '../tools/fields.ts';
import { MarginFields } from './margin-fields.tsx';
import { marginsOf, paramsOf } from './margins.ts';
import { MODELS, MODELS_ON_SERVER } from './models.ts';
import { PromptField } from './prompt-field.tsx';
import { RatioChoice } from './ratio-choice.tsx';
import { SeedField } from './seed-field.tsx';
import { FORMATS, VARIANTS_FIELD, ZOOM_FIELD } from './settings.ts';
import type { PickedVariants } from './use-picked-variants.ts';

interface ExtendSettingsProps {
  readonly picked: PickedVariants;
}

const NOTHING = new Blob();

const WORDING = {
  fields: {
    zoom_out_percentage: {
      label: 'Zoom out',
      explain: ({ zoom_out_percentage: zoom }: ParamValues) =>
        Number(zoom) < 100
          ? `The image shrinks to ${zoom} % and stays in the middle.`
          : 'The image keeps its size.',
    },
    num_images: {
      label: 'Variants',
      explain: ({ num_images: variants }: ParamValues) =>
        Number(variants) > 1 ? 'Each has a seed of its own. Pick one of them.' : 'One result.',
    },
  },
};

/** Settings of the extender. A change keeps the results until the files run again. */
export function ExtendSettings({ picked }: ExtendSettingsProps) {
  const { values, location } = useRunSettings();
  const { selected, isRunning } = useRunOutline();
  const { change } = useRunActions();
  const size = useFacts<ImageSize>(selected?.file ?? NOTHING, probeImageFile);
  const margins = marginsOf(values);
  const form = { wording: WORDING, values, disabled: isRunning, onChange: change };
  return (
    <>
      <RatioChoice
        size={size}
        margins={margins}
        disabled={isRunning}
        onMargins={(chosen) => change(paramsOf(chosen))}
      />
      <MarginFields margins={margins} disabled={isRunning} onMargins={(chosen) => change(paramsOf(chosen))} />
      <ParamsForm {...form} name="Zoom" fields={[ZOOM_FIELD]} />
      <SeedField picked={picked} />
      <ParamsForm {...form} name="Variants" fields={[VARIANTS_FIELD]} />
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
