'use client';

import { lazy, Suspense, useState } from 'react';
import { mediaKind } from '../files/media-kind.ts';
import { useRunSettings, useShownFile } from '../runs/runs-context.ts';
import { ToolFrame } from '../tool-frame/tool-frame.tsx';
import type { Field, ParamValues } from '../tools/fields.ts';
import { textsOf } from './settings/engines.ts';
import { Estimate, type PixelTimings, timingKey } from './settings/estimate.tsx';
import { VIDEO_FORMAT_FIELD } from './settings/formats.ts';
import { UpscaleSettings } from './settings/upscale-settings.tsx';
import { UPSCALE_WORDING } from './wording.ts';

// Loaded with the first file of their kind.
const UpscaleStage = lazy(async () => ({ default: (await import('./upscale-stage.tsx')).UpscaleStage }));

const VideoStage = lazy(async () => ({ default: (await import('./video-stage.tsx')).VideoStage }));

const OWN_FIELDS = [VIDEO_FORMAT_FIELD];
const isVideo = (file: File): boolean => mediaKind(file) === 'video';

/** Page of the upscaler: what it does is seen under the loupe, and in a region, before the whole is computed. */
export function UpscaleTool({ fields }: { readonly fields: readonly Field[] }) {
  const [timing, setTiming] = useState<PixelTimings>(new Map());
  const recordTiming = (key: string, seconds: number) =>
    setTiming((before) => (before.get(key) === seconds ? before : new Map(before).set(key, seconds)));
  return (
    <ToolFrame
      operationId="upscale"
      fields={fields}
      ownFields={OWN_FIELDS}
      wording={UPSCALE_WORDING}
      summary={({ scale, model }) => `${scale}× · ${textsOf(String(model)).name}`}
      handling={{ keepsResults: true, paramsFor }}
      stage={<SelectedFile onTiming={recordTiming} />}
      settings={<UpscaleSettings />}
      notice={<Estimate timing={timing} paramsFor={paramsFor} />}
    />
  );
}

interface SelectedFileProps {
  /** Called with the seconds for each pixel that the settings of a key took. */
  readonly onTiming: (key: string, seconds: number) => void;
}

function SelectedFile({ onTiming }: SelectedFileProps) {
  const shown = useShownFile();
  const { values } = useRunSettings();
  if (!shown) return null;
  const { id, file } = shown.item;
  const Stage = isVideo(file) ? VideoStage : UpscaleStage;
  return (
    <Suspense>
      <Stage
        key={id}
        shown={shown}
        params={paramsFor(file, values)}
        onTiming={(seconds) => onTiming(timingKey(values, isVideo(file)), seconds)}
      />
    </Suspense>
  );
}

function paramsFor(file: File, { model, scale, output_format, video_format }: ParamValues): object {
  return { model, scale, output_format: isVideo(file) ? video_format : output_format };
}
