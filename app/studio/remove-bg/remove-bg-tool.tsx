'use client';

import { lazy, Suspense } from 'react';
import { mediaKind } from '../files/media-kind.ts';
import { FormatChoice } from '../form/format-choice.tsx';
import type { BatchItem } from '../runs/batch.ts';
import type { FileHandling } from '../runs/file-handling.ts';
import { useRunActions, useRunOutline, useRunPlaces, useShownFile } from '../runs/runs-context.ts';
import { ToolFrame } from '../tool-frame/tool-frame.tsx';
import type { Field } from '../tools/fields.ts';
import { TOOLS } from '../tools/tools.ts';
import { BackgroundPicker } from './background/background-picker.tsx';
import { isTransparent } from './background/backgrounds.ts';
import { type ToolEdits, useCutoutEdits } from './edits/use-cutout-edits.ts';
import { exportImage, exportVideo } from './export/export-cutout.ts';
import { IMAGE_FORMATS, OPAQUE_VIDEO_FORMATS, TRANSPARENT_VIDEO_FORMATS } from './export/formats.ts';
import { SizeOtherFiles } from './export/size-other-files.tsx';
import { useSavedBytes } from './export/use-saved-bytes.ts';
import { LowConfidenceNotice, type NoticeActions } from './model/low-confidence-notice.tsx';
import { SharpenHardImages, useSharpen } from './model/sharpen-hard-images.tsx';
import { SubjectSettings } from './model/subject-settings.tsx';
import { CanvasSettings } from './placement/canvas-settings.tsx';
import { REMOVE_BG_WORDING } from './wording.ts';

const { slug: SLUG } = TOOLS['remove-bg'];

// Loaded with the first file of their kind.
const CutoutStage = lazy(async () => ({ default: (await import('./stage/cutout-stage.tsx')).CutoutStage }));
const VideoStage = lazy(async () => ({ default: (await import('./stage/video-stage.tsx')).VideoStage }));

const isVideo = (file: File): boolean => mediaKind(file) === 'video';

/**
 * Page of the background remover. The operation always makes transparent, lossless cutouts; the page applies
 * background, format and retouching on top, and again in the file at download.
 */
export function RemoveBgTool({ fields }: { readonly fields: readonly Field[] }) {
  const edits = useCutoutEdits();
  const savedBytesOf = useSavedBytes(edits);
  return (
    <ToolFrame
      operationId="remove-bg"
      fields={fields}
      wording={REMOVE_BG_WORDING}
      summary={() => 'Background'}
      handling={HANDLING}
      results={{
        issueOf: (item) => issueOf(item, edits),
        savedBytesOf,
        finish: async (item, options) =>
          isVideo(item.file)
            ? exportVideo(item, { background: edits.shared.background, format: edits.videoFormat }, options)
            : exportImage(item, edits.editsOf(item.id), options.signal),
      }}
      stage={<SelectedCutout edits={edits} />}
      settings={
        <>
          <BackgroundPicker background={edits.shared.background} onBackground={edits.shared.setBackground} />
          <Canvas edits={edits} />
          <CutoutFormat edits={edits} />
          <SharpenHardImages />
          <SizeOtherFiles edits={edits} />
          <SubjectSettings />
        </>
      }
    />
  );
}

const HANDLING: Partial<FileHandling> = {
  startsAutomatically: (file) => !isVideo(file),
  keepsResults: true,
  paramsFor: (file, values) => (isVideo(file) ? { ...values, output_format: 'webm' } : values),
};

/** Shows the selected image or video, with how far its cutout can be trusted. */
function SelectedCutout({ edits }: { readonly edits: ToolEdits }) {
  const shown = useShownFile();
  const { fits } = useRunPlaces();
  const { batch } = useRunActions();
  const sharpen = useSharpen();
  if (!shown) return null;
  const { item, renewal } = shown;
  const stage = { item, slug: SLUG, edits };
  const notice = (actions: NoticeActions) => (
    <LowConfidenceNotice
      {...actions}
      item={item}
      renewal={renewal}
      fit={fits.get(item.id)}
      onEngine={(engine) => sharpen(item.id, engine)}
      onStop={() => batch.cancelRerun(item.id)}
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
}

/** Places the subjects of images; a video keeps its frame. */
function Canvas({ edits }: { readonly edits: ToolEdits }) {
  const { selected } = useRunOutline();
  return selected && isVideo(selected.file) ? null : <CanvasSettings look={edits.shared} />;
}

/** Chooses the format of the selected file's downloads. */
function CutoutFormat({ edits }: { readonly edits: ToolEdits }) {
  const { selected } = useRunOutline();
  if (!selected) return null;
  if (!isVideo(selected.file)) {
    return <FormatChoice formats={IMAGE_FORMATS} format={edits.format} onFormat={edits.setFormat} />;
  }
  const formats = isTransparent(edits.shared.background) ? TRANSPARENT_VIDEO_FORMATS : OPAQUE_VIDEO_FORMATS;
  return <FormatChoice formats={formats} format={edits.videoFormat} onFormat={edits.setVideoFormat} />;
}

/** Says what is wrong with a cutout that holds nothing, until strokes put something in it. */
function issueOf({ id, state }: BatchItem, edits: ToolEdits): string | undefined {
  const isEmpty = state.phase === 'done' && state.result.details?.subjects_detected === 0;
  return isEmpty && edits.paintingOf(id).strokes.length === 0 ? 'no clear subject' : undefined;
}
