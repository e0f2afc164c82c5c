'use client';

import type { ImageSize } from '../../../../models/runtime/raster.ts';
import { SCALES, type Scale } from '../../../../models/upscale/plan-passes.ts';
import type { BatchItem } from '../../batch/batch.ts';
import { probeImageFile } from '../../files/probe-image.ts';
import { FormatChoice } from '../../form/format-choice.tsx';
import type { ParamValues } from '../../params/fields.ts';
import type { FileRuns } from '../../runs/use-file-runs.ts';
import { useFacts } from '../../stage/use-facts.ts';
import { probeVideo } from '../video/probe-video.ts';
import { IMAGE_FORMATS, VIDEO_FORMATS } from './formats.ts';
import { ModelPicker } from './model-picker.tsx';
import { ScaleChoice } from './scale-choice.tsx';

interface UpscaleSettingsProps {
  readonly selected: BatchItem | undefined;
  readonly runs: FileRuns;
  readonly isVideo: boolean;
}

const NOTHING = new Blob();

/** Settings of the upscaler. A change keeps the results until the files run again. */
export function UpscaleSettings({ selected, runs, isVideo }: UpscaleSettingsProps) {
  const { values, isRunning } = runs;
  const size = useFacts<ImageSize>(selected?.file ?? NOTHING, isVideo ? probeVideo : probeImageFile);
  const change = (changed: ParamValues) => runs.applyAndStart({ ...values, ...changed });
  return (
    <>
      <ScaleChoice
        scales={SCALES}
        scale={Number(values.scale)}
        size={size}
        isVideo={isVideo}
        disabled={isRunning}
        onScale={(scale) => change({ scale })}
      />
      {isVideo ? (
        <FormatChoice
          formats={VIDEO_FORMATS}
          format={values.video_format as keyof typeof VIDEO_FORMATS}
          disabled={isRunning}
          onFormat={(video_format) => change({ video_format })}
        />
      ) : (
        <FormatChoice
          formats={IMAGE_FORMATS}
          format={values.output_format as keyof typeof IMAGE_FORMATS}
          disabled={isRunning}
          onFormat={(output_format) => change({ output_format })}
        />
      )}
      <ModelPicker
        model={String(values.model)}
        scale={values.scale as Scale}
        isVideo={isVideo}
        disabled={isRunning}
        onModel={(model) => change({ model })}
      />
    </>
  );
}
