'use client';

import type { ImageSize } from '../../../../models/core/runtime/raster.ts';
import { SCALES, type Scale } from '../../../../models/operations/upscale/plan-passes.ts';
import { mediaKind } from '../../files/media-kind.ts';
import { probeImageFile } from '../../files/probe-image.ts';
import { FormatChoice } from '../../form/format-choice.tsx';
import { ModelPicker } from '../../form/model-picker.tsx';
import { useRunActions, useRunOutline, useRunSettings } from '../../runs/runs-context.ts';
import { useFacts } from '../../stage/use-facts.ts';
import { probeVideo } from '../video/probe-video.ts';
import { modelsFor } from './engines.ts';
import { IMAGE_FORMATS, VIDEO_FORMATS } from './formats.ts';
import { ScaleChoice } from './scale-choice.tsx';

const NOTHING = new Blob();

/** Settings of the upscaler. A change keeps the results until the files run again. */
export function UpscaleSettings() {
  const { values } = useRunSettings();
  const { selected, isRunning } = useRunOutline();
  const { change } = useRunActions();
  const isVideo = selected !== undefined && mediaKind(selected.file) === 'video';
  const size = useFacts<ImageSize>(selected?.file ?? NOTHING, isVideo ? probeVideo : probeImageFile);
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
        name="model"
        models={modelsFor(values.scale as Scale, isVideo)}
        value={String(values.model)}
        disabled={isRunning}
        onChoose={(model) => change({ model })}
      />
    </>
  );
}
