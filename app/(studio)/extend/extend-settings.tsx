'use client';

import { acceptsPrompt } from '../../../models/image-outpaint/engines.ts';
import type { ImageSize } from '../../../models/runtime/raster.ts';
import type { BatchItem } from '../batch/batch.ts';
import { probeImageFile } from '../files/probe-image.ts';
import { FormatChoice } from '../form/format-choice.tsx';
import { ParamsForm } from '../form/params-form.tsx';
import type { ParamValues } from '../params/fields.ts';
import type { FileRuns } from '../runs/use-file-runs.ts';
import { useFacts } from '../stage/use-facts.ts';
import { MarginFields } from './margin-fields.tsx';
import { marginsOf, paramsOf } from './margins.ts';
import { ModelPicker } from './model-picker.tsx';
import { PromptField } from './prompt-field.tsx';
import { RatioChoice } from './ratio-choice.tsx';
import { SeedField } from './seed-field.tsx';
import { FORMATS, VARIANTS_FIELD, ZOOM_FIELD } from './settings.ts';
import type { PickedVariants } from './use-picked-variants.ts';

interface ExtendSettingsProps {
  readonly selected: BatchItem | undefined;
  readonly runs: FileRuns;
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
export function ExtendSettings({ selected, runs, picked }: ExtendSettingsProps) {
  const { values, isRunning } = runs;
  const size = useFacts<ImageSize>(selected?.file ?? NOTHING, probeImageFile);
  const change = (changed: ParamValues) => runs.applyAndStart({ ...values, ...changed });
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
      <SeedField runs={runs} selected={selected} picked={picked} />
      <ParamsForm {...form} name="Variants" fields={[VARIANTS_FIELD]} />
      <FormatChoice
        formats={FORMATS}
        format={values.output_format as keyof typeof FORMATS}
        disabled={isRunning}
        onFormat={(output_format) => change({ output_format })}
      />
      <ModelPicker
        engine={String(values.engine)}
        isOnServer={runs.location === 'server'}
        disabled={isRunning}
        onEngine={(engine) => change({ engine })}
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
