'use client';

import type { ImageSize } from '../../../models/raster.ts';
import { SCALES, type Scale } from '../../../models/upscale/plan-passes.ts';
import type { BatchItem } from '../batch/batch.ts';
import { probeImageFile } from '../files/probe-image.ts';
import type { ParamValues } from '../frame/fields.ts';
import { FormatChoice } from '../frame/format-choice.tsx';
import { useFacts } from '../frame/use-facts.ts';
import type { FileRuns } from '../frame/use-file-runs.ts';
import { IMAGE_FORMATS, VIDEO_FORMATS } from './formats.ts';
import { ModelPicker } from './model-picker.tsx';
import { probeVideo } from './probe-video.ts';
import { ScaleChoice } from './scale-choice.tsx';

interface UpscaleSettingsProps {
  readonly selected: BatchItem | undefined;
  readonly work: FileRuns;
  readonly isVideo: boolean;
}

const NOTHING = new Blob();

/** Settings of the upscaler. A change keeps the results until the files run again. */
export function UpscaleSettings({ selected, work, isVideo }: UpscaleSettingsProps) {
  const { values, isRunning } = work;
  const size = useFacts<ImageSize>(selected?.file ?? NOTHING, isVideo ? probeVideo : probeImageFile);
  const change = (changed: ParamValues) => work.changeAndStart({ ...values, ...changed });
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
