'use client';

import { lazy, Suspense } from 'react';
import type { BatchItem } from '../batch/batch.ts';
import { mediaKind } from '../files/media-kind.ts';
import type { Field } from '../frame/fields.ts';
import { FormatChoice } from '../frame/format-choice.tsx';
import { ToolFrame } from '../frame/tool-frame.tsx';
import { TOOLS } from '../tools/tools.ts';
import { BackgroundPicker } from './background-picker.tsx';
import { isTransparent } from './backgrounds.ts';
import { finishedResult, finishedVideo } from './finished.ts';
import { IMAGE_FORMATS, OPAQUE_VIDEO_FORMATS, TRANSPARENT_VIDEO_FORMATS } from './formats.ts';
import { LowConfidenceNotice, type NoticeWays } from './low-confidence-notice.tsx';
import { ModelPicker } from './model-picker.tsx';
import { SharpenHardImages, useSharpen } from './sharpen-hard-images.tsx';
import { type ToolEdits, useCutoutEdits } from './use-cutout-edits.ts';
import { useSavedBytes } from './use-saved-bytes.ts';
import { REMOVE_BG_WORDING } from './wording.ts';

// Loaded with the first file of their kind.
const CutoutStage = lazy(async () => ({ default: (await import('./cutout-stage.tsx')).CutoutStage }));
const VideoStage = lazy(async () => ({ default: (await import('./video-stage.tsx')).VideoStage }));

interface RemoveBgToolProps {
  readonly fields: readonly Field[];
}

const { slug: SLUG } = TOOLS['remove-bg'];
const isVideo = (file: File): boolean => mediaKind(file) === 'video';

/**
 * Page of the background remover. The operation always makes transparent, lossless cutouts; the page applies
 * background, format and retouching on top, and again in the file at download.
 */
export function RemoveBgTool({ fields }: RemoveBgToolProps) {
  const looks = useCutoutEdits();
  const sharpen = useSharpen();
  const savedBytesOf = useSavedBytes(looks);
  const videoFormats = isTransparent(looks.behind) ? TRANSPARENT_VIDEO_FORMATS : OPAQUE_VIDEO_FORMATS;
  const isForVideo = (selected: BatchItem | undefined) => selected !== undefined && isVideo(selected.file);
  return (
    <ToolFrame
      operationId="remove-bg"
      fields={fields}
      wording={REMOVE_BG_WORDING}
      summary={(selected) => {
        const words = isForVideo(selected) ? videoFormats[looks.videoFormat] : IMAGE_FORMATS[looks.format];
        return selected ? `Background · ${words.name}` : 'Background';
      }}
      flawOf={(item) => flawOf(item, looks)}
      savedBytesOf={savedBytesOf}
      startsAtOnce={(file) => !isVideo(file)}
      keepsResults
      paramsFor={(file, values) => (isVideo(file) ? { ...values, output_format: 'webm' } : values)}
      finish={async (item, options) =>
        isVideo(item.file)
          ? finishedVideo(item, { behind: looks.behind, format: looks.videoFormat }, options)
          : finishedResult(item, looks.lookOf(item.id), options.signal)
      }
      stage={(item, work) => {
        const { item: shown, renewal } = work.shownOf(item);
        const stage = { item: shown, slug: SLUG, looks };
        const notice = (ways: NoticeWays) => (
          <LowConfidenceNotice
            {...ways}
            item={shown}
            renewal={renewal}
            fit={work.fits.get(item.id)}
            onEngine={(engine) => sharpen(work, item.id, engine)}
            onStop={() => work.batch.cancelRerun(item.id)}
          />
        );
        return (
          <Suspense>
            {isVideo(item.file) ? (
              <VideoStage key={item.id} {...stage} notice={notice({})} />
            ) : (
              <CutoutStage key={item.id} {...stage} notice={notice} />
            )}
          </Suspense>
        );
      }}
      settings={(selected, work) => (
        <>
          <BackgroundPicker behind={looks.behind} onBehind={looks.setBehind} />
          {selected &&
            (isForVideo(selected) ? (
              <FormatChoice
                formats={videoFormats}
                format={looks.videoFormat}
                onFormat={looks.setVideoFormat}
              />
            ) : (
              <FormatChoice formats={IMAGE_FORMATS} format={looks.format} onFormat={looks.setFormat} />
            ))}
          <SharpenHardImages work={work} />
          <ModelPicker work={work} fit={selected && work.fits.get(selected.id)} />
        </>
      )}
    />
  );
}

/** Says what is wrong with a cutout that holds nothing, until strokes put something in it. */
function flawOf({ id, state }: BatchItem, looks: ToolEdits): string | undefined {
  const isEmpty = state.phase === 'done' && state.result.details?.subjects_detected === 0;
  return isEmpty && looks.paintingOf(id).strokes.length === 0 ? 'no clear subject' : undefined;
}
