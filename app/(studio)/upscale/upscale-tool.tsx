'use client';

import { lazy, Suspense, useState } from 'react';
import type { BatchItem } from '../batch/batch.ts';
import { mediaKind } from '../files/media-kind.ts';
import type { Field, ParamValues } from '../frame/fields.ts';
import { ToolFrame } from '../frame/tool-frame.tsx';
import { TOOLS } from '../tools/tools.ts';
import { wordsOf } from './engines.ts';
import { Estimate, type Pace, paceKey } from './estimate.tsx';
import { VIDEO_FORMAT_FIELD } from './formats.ts';
import { UpscaleSettings } from './upscale-settings.tsx';
import { UPSCALE_WORDING } from './wording.ts';

// Loaded with the first file of their kind.
const UpscaleStage = lazy(async () => ({ default: (await import('./upscale-stage.tsx')).UpscaleStage }));

const VideoStage = lazy(async () => ({ default: (await import('./video-stage.tsx')).VideoStage }));

const { slug: SLUG } = TOOLS.upscale;
const OWN_FIELDS = [VIDEO_FORMAT_FIELD];
const isVideo = (file: File): boolean => mediaKind(file) === 'video';

/** Page of the upscaler: what it does is seen under the loupe, and in a region, before the whole is computed. */
export function UpscaleTool({ fields }: { readonly fields: readonly Field[] }) {
  const [pace, setPace] = useState<Pace>(new Map());
  const isOf = (selected: BatchItem | undefined) => selected !== undefined && isVideo(selected.file);
  return (
    <ToolFrame
      operationId="upscale"
      fields={fields}
      ownFields={OWN_FIELDS}
      wording={UPSCALE_WORDING}
      keepsResults
      paramsFor={paramsFor}
      summary={(_selected, { values }) => `${values.scale}× · ${wordsOf(String(values.model)).name}`}
      stage={(item, work) => {
        const Stage = isVideo(item.file) ? VideoStage : UpscaleStage;
        const key = paceKey(work.values, isVideo(item.file));
        return (
          <Suspense>
            <Stage
              key={item.id}
              shown={work.shownOf(item)}
              slug={SLUG}
              work={work}
              params={paramsFor(item.file, work.values)}
              onPace={(seconds) =>
                setPace((before) =>
                  before.get(key) === seconds ? before : new Map(before).set(key, seconds),
                )
              }
            />
          </Suspense>
        );
      }}
      settings={(selected, work) => (
        <UpscaleSettings selected={selected} work={work} isVideo={isOf(selected)} />
      )}
      notice={(work) => (
        <Estimate work={work} pace={pace} paramsFor={(file) => paramsFor(file, work.values)} />
      )}
    />
  );
}

function paramsFor(file: File, { model, scale, output_format, video_format }: ParamValues): object {
  return { model, scale, output_format: isVideo(file) ? video_format : output_format };
}
