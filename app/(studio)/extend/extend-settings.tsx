'use client';

import { readsPrompt } from '../../../models/image-outpaint/outpaint-engines.ts';
import type { ImageSize } from '../../../models/raster.ts';
import type { BatchItem } from '../batch/batch.ts';
import { probeImageFile } from '../files/probe-image.ts';
import type { ParamValues } from '../frame/fields.ts';
import { FormatChoice } from '../frame/format-choice.tsx';
import { ParamsForm } from '../frame/params-form.tsx';
import { useFacts } from '../frame/use-facts.ts';
import type { FileRuns } from '../frame/use-file-runs.ts';
import { MarginFields } from './margin-fields.tsx';
import { marginsOf, paramsOf } from './margins.ts';
import { ModelPicker } from './model-picker.tsx';
import { PromptField } from './prompt-field.tsx';
import { SeedField } from './seed-field.tsx';
import { FORMATS, VARIANTS_FIELD, ZOOM_FIELD } from './settings.ts';
import { ShapeChoice } from './shape-choice.tsx';
import type { Picked } from './use-picked.ts';

interface ExtendSettingsProps {
  readonly selected: BatchItem | undefined;
  readonly work: FileRuns;
  readonly picked: Picked;
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
export function ExtendSettings({ selected, work, picked }: ExtendSettingsProps) {
  const { values, isRunning } = work;
  const size = useFacts<ImageSize>(selected?.file ?? NOTHING, probeImageFile);
  const change = (changed: ParamValues) => work.changeAndStart({ ...values, ...changed });
  const margins = marginsOf(values);
  const form = { wording: WORDING, values, disabled: isRunning, onChange: change };
  return (
    <>
      <ShapeChoice
        size={size}
        margins={margins}
        disabled={isRunning}
        onMargins={(chosen) => change(paramsOf(chosen))}
      />
      <MarginFields margins={margins} disabled={isRunning} onMargins={(chosen) => change(paramsOf(chosen))} />
      <ParamsForm {...form} name="Zoom" fields={[ZOOM_FIELD]} />
      <SeedField work={work} selected={selected} picked={picked} />
      <ParamsForm {...form} name="Variants" fields={[VARIANTS_FIELD]} />
      <FormatChoice
        formats={FORMATS}
        format={values.output_format as keyof typeof FORMATS}
        disabled={isRunning}
        onFormat={(output_format) => change({ output_format })}
      />
      <ModelPicker
        engine={String(values.engine)}
        isOnServer={work.where === 'server'}
        disabled={isRunning}
        onEngine={(engine) => change({ engine })}
      />
      {readsPrompt(String(values.engine)) && (
        <PromptField
          prompt={String(values.prompt ?? '')}
          disabled={isRunning}
          onPrompt={(prompt) => change({ prompt })}
        />
      )}
    </>
  );
}
