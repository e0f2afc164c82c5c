'use client';

import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { savedIds } from '../download/use-download.ts';
import { mediaKind } from '../files/media-kind.ts';
import { FormatChoice } from '../form/format-choice.tsx';
import type { BatchItem } from '../runs/batch.ts';
import { isMetered } from '../runs/connection.ts';
import type { FileHandling } from '../runs/file-handling.ts';
import {
  useRunActions,
  useRunFiles,
  useRunOutline,
  useRunPlaces,
  useRunSettings,
  useShownFile,
} from '../runs/runs-context.ts';
import { useSessionState } from '../session/use-session-state.ts';
import type { SavedBytesOf } from '../tool-frame/tile-fact.ts';
import { ToolFrame } from '../tool-frame/tool-frame.tsx';
import type { Field } from '../tools/fields.ts';
import { TOOLS } from '../tools/tools.ts';
import type { Wording } from '../tools/wording.ts';
import { type BackgroundView, useBackgroundView } from './background-layer.tsx';
import { BackgroundPicker } from './background-picker.tsx';
import { isTransparent } from './backgrounds.ts';
import {
  cutoutFiles,
  exportImage,
  exportSize,
  exportSizeChanges,
  exportVideo,
  IMAGE_FORMATS,
  isUnedited,
  makeFile,
  OPAQUE_VIDEO_FORMATS,
  TRANSPARENT_VIDEO_FORMATS,
} from './export-cutout.ts';
import { LowConfidenceNotice, type NoticeActions } from './low-confidence-notice.tsx';
import { addTrial, NOTHING_TRIED, nextToSharpen } from './plan-sharper.ts';
import { useConsent } from './sharper-consent.ts';
import { CanvasSettings, ShadowSettings } from './stage/canvas-settings.tsx';
import { PassportSheet } from './stage/passport-sheet.tsx';
import { type ToolEdits, useCutoutEdits } from './stage/use-cutout-edits.ts';
import { SubjectSettings } from './subject-settings.tsx';

const NAME = 'remove-bg/sharper-runs';

/** Pause after the last edit or run: the file on the stage is made first. */
const PAUSE_MS = 2_000;

/** Files that are made only to show their size, and the largest original among them: more costs minutes. */
const FILES_MAX = 20;

const FILE_BYTES_MAX = 12_000_000;

const REMOVE_BG_WORDING: Wording = {
  lead: 'Cut out any subject.',
  verb: 'Remove background from',
  // No choice is needed before the first run: the page has its own controls next to the result.
  fields: {},
};

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
  const getSavedBytes = useSavedBytes(edits);
  const background = useBackgroundView(edits.shared.background);
  return (
    <ToolFrame
      operationId="remove-bg"
      fields={fields}
      wording={REMOVE_BG_WORDING}
      summary={() => 'Background'}
      handling={HANDLING}
      results={{
        getIssue: (item) => getIssue(item, edits),
        getSavedBytes,
        underlay: describeUnderlay(background),
        finish: async (item, options) =>
          isVideo(item.file)
            ? exportVideo(item, { background: edits.shared.background, format: edits.videoFormat }, options)
            : exportImage(item, edits.getEdits(item.id), options.signal),
      }}
      stage={<SelectedCutout edits={edits} />}
      settings={
        <>
          <BackgroundPicker background={edits.shared.background} onBackground={edits.shared.setBackground} />
          <Placing edits={edits} />
          <CutoutFormat edits={edits} />
          <SharpenHardImages />
          <SizeOtherFiles edits={edits} />
          <SubjectSettings />
        </>
      }
    />
  );
}

/** Returns the CSS `background` of tiles: a picture covers each. One that is blurred differs from tile to tile. */
function describeUnderlay(view: BackgroundView): string | undefined {
  if (typeof view === 'string') return;
  return 'url' in view ? `url(${view.url}) center / cover` : view.background;
}

const HANDLING: Partial<FileHandling> = {
  startsAutomatically: (file) => !isVideo(file),
  paramsFor: (file, values) => (isVideo(file) ? { ...values, output_format: 'webm' } : values),
};

/** Shows the selected image or video, with how far its cutout can be trusted. */
function SelectedCutout({ edits }: { readonly edits: ToolEdits }) {
  const shown = useShownFile();
  const { fits } = useRunPlaces();
  const { batch } = useRunActions();
  const sharpen = useSharpen();
  if (!shown) return null;
  const { item, renewal, isLiveRun } = shown;
  const stage = { item, slug: SLUG, edits };
  const notice = (actions: NoticeActions) => (
    <LowConfidenceNotice
      {...actions}
      item={item}
      renewal={renewal}
      fit={fits.get(item.id)}
      onEngine={(engine) => sharpen.rerun(item.id, engine)}
      onStop={() => {
        if (isLiveRun) sharpen.stop(item.id);
        else batch.cancelRerun(item.id);
      }}
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
function Placing({ edits }: { readonly edits: ToolEdits }) {
  const item = useShownFile()?.item;
  if (item && isVideo(item.file)) return null;
  const isPassport = edits.shared.canvas.size === 'passport';
  return (
    <>
      <ShadowSettings look={edits.shared} />
      <CanvasSettings look={edits.shared}>
        {isPassport && item?.state.phase === 'done' && (
          <PassportSheet item={item} edits={edits.getEdits(item.id)} />
        )}
      </CanvasSettings>
    </>
  );
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
function getIssue({ id, state }: BatchItem, edits: ToolEdits): string | undefined {
  const isEmpty = state.phase === 'done' && state.result.details?.subjects_detected === 0;
  return isEmpty && edits.getPainting(id).strokes.length === 0 ? 'no clear subject' : undefined;
}

/** Returns the sizes of the files that a download would save, and renders again as they become known. */
function useSavedBytes(edits: ToolEdits): SavedBytesOf {
  useSyncExternalStore(exportSizeChanges.subscribe, exportSizeChanges.get, () => 0);
  return (item: BatchItem) => {
    const cutout = cutoutFiles(item)?.cutout;
    if (!cutout) return undefined;
    if (mediaKind(item.file) === 'video') {
      const isUnchanged =
        isTransparent(edits.shared.background) && cutout.type === `video/${edits.videoFormat}`;
      return isUnchanged ? cutout.size : null;
    }
    const own = edits.getEdits(item.id);
    return isUnedited(cutout, own) ? cutout.size : exportSize(cutout, own);
  };
}

/**
 * Makes the files that a download would save of images that are not on the stage, one after the other while nothing
 * runs, so that their tiles show true sizes. An edit, a run and another file on the stage end it.
 */
function SizeOtherFiles({ edits }: { readonly edits: ToolEdits }) {
  const { items } = useRunFiles();
  const { isRunning, selected } = useRunOutline();
  const { strokes } = edits.getEdits(selected?.id ?? 0);
  const { background, canvas } = edits.shared;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the edits are a new object at each rendering
  useEffect(() => {
    if (isRunning) return;
    const ending = new AbortController();
    const measure = async () => {
      for (const item of items.slice(0, FILES_MAX)) {
        const files = cutoutFiles(item);
        const own = edits.getEdits(item.id);
        const isDue = files && item.id !== selected?.id && mediaKind(item.file) === 'image';
        if (!isDue || item.file.size > FILE_BYTES_MAX) continue;
        if (isUnedited(files.cutout, own) || exportSize(files.cutout, own) !== null) continue;
        // A file that cannot be made has no size; the download says why.
        await makeFile(files, own, ending.signal).catch(() => {});
        if (ending.signal.aborted) return;
      }
    };
    const pause = setTimeout(() => void measure(), PAUSE_MS);
    return () => {
      clearTimeout(pause);
      ending.abort();
    };
  }, [items, isRunning, selected?.id, strokes, background, canvas, edits.format]);
  return null;
}

/** Returns what a visitor can do about sharper results. Such an image does not begin again by itself. */
function useSharpen() {
  const { rerun, live } = useRunActions();
  const [, setHistory] = useSessionState(NAME, NOTHING_TRIED);
  const markTried = (id: number) => setHistory((before) => ({ ...before, tried: [...before.tried, id] }));
  return {
    rerun(id: number, engine: string) {
      markTried(id);
      rerun(id, { engine });
    },
    stop(id: number) {
      markTried(id);
      live.cancel();
    },
  };
}

/**
 * Runs hard images again with a sharper model, one after the other and once each, while nothing else runs: at once where
 * the model is small, else as soon as the visitor allows it. A result that was downloaded stays, and so do all where the
 * model has failed. Renders nothing.
 */
function SharpenHardImages() {
  const { rerunAutomatically, live } = useRunActions();
  const { items } = useRunFiles();
  const { isRunning } = useRunOutline();
  const { values } = useRunSettings();
  const { fits } = useRunPlaces();
  const consent = useConsent();
  const [history, setHistory] = useSessionState(NAME, NOTHING_TRIED);
  const saved = useSaved();
  const isFree = !isRunning && values.engine === 'auto';
  const options = { history, saved, fits, consent, isMetered: isMetered() };
  const next = isFree ? nextToSharpen(items, options) : undefined;
  const key = next && `${next.id} ${next.engine}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key names the file; the rest is new at each rendering
  useEffect(() => {
    if (!next) return;
    const { id, engine } = next;
    void rerunAutomatically(id, { engine }).then((state) => {
      if (state) setHistory((before) => addTrial(before, next, state));
    });
    return live.cancel;
  }, [key]);
  return null;
}

/** Returns the ids of the images whose results were downloaded. */
function useSaved(): readonly number[] {
  const [saved] = useState(() => savedIds('remove-bg'));
  return useSyncExternalStore(saved.subscribe, saved.get, saved.get);
}
