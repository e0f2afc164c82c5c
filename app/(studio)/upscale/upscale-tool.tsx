'use client';

import { lazy, Suspense, useState } from 'react';
import type { BatchItem } from '../batch/batch.ts';
import { mediaKind } from '../files/media-kind.ts';
import type { Field, ParamValues } from '../params/fields.ts';
import { ToolFrame } from '../tool-frame/tool-frame.tsx';
import { TOOLS } from '../tools/tools.ts';
import { textsOf } from './settings/engines.ts';
import { Estimate, type PixelTimings, timingKey } from './settings/estimate.tsx';
import { VIDEO_FORMAT_FIELD } from './settings/formats.ts';
import { UpscaleSettings } from './settings/upscale-settings.tsx';
import { UPSCALE_WORDING } from './wording.ts';

// Loaded with the first file of their kind.
const UpscaleStage = lazy(async () => ({ default: (await import('./upscale-stage.tsx')).UpscaleStage }));

const VideoStage = lazy(async () => ({ default: (await import('./video-stage.tsx')).VideoStage }));

const { slug: SLUG } = TOOLS.upscale;
const OWN_FIELDS = [VIDEO_FORMAT_FIELD];
const isVideo = (file: File): boolean => mediaKind(file) === 'video';

/** Page of the upscaler: what it does is seen under the loupe, and in a region, before the whole is computed. */
export function UpscaleTool({ fields }: { readonly fields: readonly Field[] }) {
  const [timing, setPace] = useState<PixelTimings>(new Map());
  const isOf = (selected: BatchItem | undefined) => selected !== undefined && isVideo(selected.file);
  return (
    <ToolFrame
      operationId="upscale"
      fields={fields}
      ownFields={OWN_FIELDS}
      wording={UPSCALE_WORDING}
      keepsResults
      paramsFor={paramsFor}
      summary={(_selected, { values }) => `${values.scale}× · ${textsOf(String(values.model)).name}`}
      stage={(item, runs) => {
        const Stage = isVideo(item.file) ? VideoStage : UpscaleStage;
        const key = timingKey(runs.values, isVideo(item.file));
        return (
          <Suspense>
            <Stage
              key={item.id}
              shown={runs.shownOf(item)}
              slug={SLUG}
              runs={runs}
              params={paramsFor(item.file, runs.values)}
              onTiming={(seconds) =>
                setPace((before) =>
                  before.get(key) === seconds ? before : new Map(before).set(key, seconds),
                )
              }
            />
          </Suspense>
        );
      }}
      settings={(selected, runs) => (
        <UpscaleSettings selected={selected} runs={runs} isVideo={isOf(selected)} />
      )}
      notice={(runs) => (
        <Estimate runs={runs} timing={timing} paramsFor={(file) => paramsFor(file, runs.values)} />
      )}
    />
  );
}

function paramsFor(file: File, { model, scale, output_format, video_format }: ParamValues): object {
  return { model, scale, output_format: isVideo(file) ? video_format : output_format };
}
