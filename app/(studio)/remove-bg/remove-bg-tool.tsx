'use client';

import { lazy, Suspense } from 'react';
import type { BatchItem } from '../batch/batch.ts';
import { mediaKind } from '../files/media-kind.ts';
import { FormatChoice } from '../form/format-choice.tsx';
import type { Field } from '../params/fields.ts';
import { ToolFrame } from '../tool-frame/tool-frame.tsx';
import { TOOLS } from '../tools/tools.ts';
import { BackgroundPicker } from './background/background-picker.tsx';
import { isTransparent } from './background/backgrounds.ts';
import { type ToolEdits, useCutoutEdits } from './edits/use-cutout-edits.ts';
import { exportImage, exportVideo } from './export/export-cutout.ts';
import { IMAGE_FORMATS, OPAQUE_VIDEO_FORMATS, TRANSPARENT_VIDEO_FORMATS } from './export/formats.ts';
import { useSavedBytes } from './export/use-saved-bytes.ts';
import { LowConfidenceNotice, type NoticeActions } from './model/low-confidence-notice.tsx';
import { ModelPicker } from './model/model-picker.tsx';
import { SharpenHardImages, useSharpen } from './model/sharpen-hard-images.tsx';
import { REMOVE_BG_WORDING } from './wording.ts';

// Loaded with the first file of their kind.
const CutoutStage = lazy(async () => ({ default: (await import('./stage/cutout-stage.tsx')).CutoutStage }));
const VideoStage = lazy(async () => ({ default: (await import('./stage/video-stage.tsx')).VideoStage }));

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
  const edits = useCutoutEdits();
  const sharpen = useSharpen();
  const savedBytesOf = useSavedBytes(edits);
  const videoFormats = isTransparent(edits.background) ? TRANSPARENT_VIDEO_FORMATS : OPAQUE_VIDEO_FORMATS;
  const isForVideo = (selected: BatchItem | undefined) => selected !== undefined && isVideo(selected.file);
  return (
    <ToolFrame
      operationId="remove-bg"
      fields={fields}
      wording={REMOVE_BG_WORDING}
      summary={(selected) => {
        const words = isForVideo(selected) ? videoFormats[edits.videoFormat] : IMAGE_FORMATS[edits.format];
        return selected ? `Background · ${words.name}` : 'Background';
      }}
      issueOf={(item) => issueOf(item, edits)}
      savedBytesOf={savedBytesOf}
      startsAutomatically={(file) => !isVideo(file)}
      keepsResults
      paramsFor={(file, values) => (isVideo(file) ? { ...values, output_format: 'webm' } : values)}
      finish={async (item, options) =>
        isVideo(item.file)
          ? exportVideo(item, { background: edits.background, format: edits.videoFormat }, options)
          : exportImage(item, edits.editsOf(item.id), options.signal)
      }
      stage={(item, runs) => {
        const { item: shown, renewal } = runs.shownOf(item);
        const stage = { item: shown, slug: SLUG, edits };
        const notice = (ways: NoticeActions) => (
          <LowConfidenceNotice
            {...ways}
            item={shown}
            renewal={renewal}
            fit={runs.fits.get(item.id)}
            onEngine={(engine) => sharpen(runs, item.id, engine)}
            onStop={() => runs.batch.cancelRerun(item.id)}
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
      settings={(selected, runs) => (
        <>
          <BackgroundPicker background={edits.background} onBackground={edits.setBackground} />
          {selected &&
            (isForVideo(selected) ? (
              <FormatChoice
                formats={videoFormats}
                format={edits.videoFormat}
                onFormat={edits.setVideoFormat}
              />
            ) : (
              <FormatChoice formats={IMAGE_FORMATS} format={edits.format} onFormat={edits.setFormat} />
            ))}
          <SharpenHardImages runs={runs} />
          <ModelPicker runs={runs} fit={selected && runs.fits.get(selected.id)} />
        </>
      )}
    />
  );
}

/** Says what is wrong with a cutout that holds nothing, until strokes put something in it. */
function issueOf({ id, state }: BatchItem, edits: ToolEdits): string | undefined {
  const isEmpty = state.phase === 'done' && state.result.details?.subjects_detected === 0;
  return isEmpty && edits.paintingOf(id).strokes.length === 0 ? 'no clear subject' : undefined;
}
