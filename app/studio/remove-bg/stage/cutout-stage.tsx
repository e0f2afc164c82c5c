'use client';

import { type ReactNode, useState } from 'react';
import type { Draft, Progress } from '../../../../models/core/runtime/progress.ts';
import { CopyButton } from '../../download/copy-button.tsx';
import { OpenInTool } from '../../download/open-in-tool.tsx';
import { probeImageFile } from '../../files/open-bitmap.ts';
import { useQuickPreview } from '../../files/use-quick-preview.ts';
import { UndoButtons, useUndoKeys } from '../../form/undo-buttons.tsx';
import type { BatchItem } from '../../runs/batch.ts';
import { getResults } from '../../runs/results.ts';
import { FactsRow, useFacts } from '../../stage/facts.tsx';
import { useTallStage } from '../../stage/frame-slots.tsx';
import { ShareComparison } from '../../stage/share-comparison.tsx';
import stage from '../../stage/stage.module.css';
import { StagePicture } from '../../stage/stage-picture.tsx';
import { StagePlane } from '../../stage/stage-plane.tsx';
import { StageWell } from '../../stage/stage-well.tsx';
import { ViewSwitch } from '../../stage/view-switch.tsx';
import { Waiting } from '../../stage/waiting.tsx';
import { type BackgroundView, useBackgroundView } from '../background-layer.tsx';
import { visibleBackground } from '../backgrounds.ts';
import { describeRun } from '../engines.ts';
import { cutoutFiles, exportImage, exportPng } from '../export-cutout.ts';
import type { NoticeActions } from '../low-confidence-notice.tsx';
import { useExportedFile } from '../use-exported-file.ts';
import { BitmapCanvas } from './bitmap-canvas.tsx';
import { type Brush, RADIUS } from './brush.ts';
import bar from './brush-bar.module.css';
import { BrushBar } from './brush-bar.tsx';
import styles from './cutout-stage.module.css';
import { CutoutView, DraftCutout, type View } from './cutout-view.tsx';
import { type Preview, usePreview, useRetouched } from './use-bitmaps.ts';
import type { SharedEditsState, ToolEdits } from './use-cutout-edits.ts';
import { useEditKeys } from './use-edit-keys.ts';
import { usePlacement } from './use-placement.tsx';

interface CutoutStageProps {
  readonly item: BatchItem;
  readonly slug: string;
  readonly edits: ToolEdits;
  /** Says how far the result can be trusted, and what helps. */
  readonly notice: (actions: NoticeActions) => ReactNode;
}

/** Shows the image whose background is removed: on a checkerboard or a background, and under the brush. */
export function CutoutStage({ item, slug, edits, notice }: CutoutStageProps) {
  const { file, state, id } = item;
  const [view, setView] = useState<View>('result');
  const [brush, setBrush] = useState<Brush>({ mode: 'keep', radius: RADIUS.initial });
  const { strokes } = edits.getPainting(id);
  const draft = state.phase === 'running' ? state.draft : undefined;
  const { files, before, after, retouched, opening, image, backgroundView, saved, placement } = useCutout(
    item,
    edits,
    view,
  );
  const { undo, redo } =
    view === 'brush' ? { undo: () => edits.undo(id), redo: () => edits.redo(id) } : edits.shared;
  useUndoKeys({ group: 'Edits', what: 'a stroke, a background or a place', undo, redo });
  useEditKeys(view);
  useTallStage(view === 'brush' || view === 'place');
  return (
    <div className={stage.stage}>
      <StagePicture item={item} slug={slug}>
        <StageWell
          image={image}
          phase={state.phase}
          isTransparent={(files ?? draft) !== undefined && (view === 'brush' || backgroundView === 'nothing')}
        >
          {files && before && after ? (
            <CutoutView
              view={view}
              name={file.name}
              original={files.original}
              cutout={retouched.bitmap ? undefined : files.cutout}
              before={before}
              after={after}
              background={backgroundView}
              placed={placement.placed}
              placing={placement.placing}
              brush={brush}
              pending={retouched.isWorking ? strokes.slice(-1) : NO_STROKES}
              onBrush={setBrush}
              onStroke={(stroke) => edits.paint(id, stroke)}
            />
          ) : (
            <Unfinished
              name={file.name}
              original={file}
              preview={before}
              draft={draft}
              background={backgroundView}
              progress={opening}
            />
          )}
        </StageWell>
      </StagePicture>
      <div className={styles.below}>
        {view !== 'brush' && notice({ isPainted: strokes.length > 0, onBrush: () => setView('brush') })}
        {files && view === 'brush' ? (
          <Brushing id={id} edits={edits} brush={brush} retouched={retouched} onBrush={setBrush} />
        ) : files && view === 'place' ? (
          <PlaceBar look={edits.shared} />
        ) : (
          <CutoutFacts item={item} slug={slug} edits={edits} saved={saved} />
        )}
      </div>
      {files && <ViewSwitch views={VIEWS} view={view} onView={setView} />}
    </div>
  );
}

/** Returns what a view of an image shows: its pictures, background and place, and the file that is saved. */
function useCutout(item: BatchItem, edits: ToolEdits, view: View) {
  const { file, id } = item;
  const images = useCutoutImages(item, edits, view === 'brush');
  const backgroundView = useBackgroundView(
    visibleBackground({ background: edits.shared.background, format: edits.format }),
  );
  const facts = useFacts(file, probeImageFile);
  // The brush's strokes follow each other, and its bar replaces the facts.
  const saved = useExportedFile(item, edits.getEdits(id), view === 'brush' ? undefined : facts);
  const { before, after } = images;
  const shown = { edits, before, after, facts, background: backgroundView, name: file.name };
  const placement = usePlacement({ ...shown, isPlacing: view === 'place' });
  const isPlaced = (view === 'result' || view === 'place') && placement.placed !== null;
  const image = isPlaced ? placement.canvas : (facts ?? before ?? undefined);
  return { ...images, image, backgroundView, saved, placement };
}

/** Returns the original and the cutout of an image, with its strokes. */
function useCutoutImages(item: BatchItem, edits: ToolEdits, isBrushing: boolean) {
  const files = cutoutFiles(item);
  const [opening, setOpening] = useState<Progress>();
  const before = usePreview(item.file, undefined, setOpening);
  const found = usePreview(files?.cutout);
  const retouched = useRetouched(files, edits.getPainting(item.id).strokes, isBrushing);
  return { files, before, after: retouched.bitmap ?? found, retouched, opening };
}

interface BrushingProps {
  /** Id of the image. */
  readonly id: number;
  readonly edits: ToolEdits;
  readonly brush: Brush;
  readonly retouched: ReturnType<typeof useRetouched>;
  readonly onBrush: (brush: Brush) => void;
}

/** Bar of the brush, in place of the facts. */
function Brushing({ id, edits, brush, retouched, onBrush }: BrushingProps) {
  const { strokes, undone } = edits.getPainting(id);
  return (
    <BrushBar
      brush={brush}
      canUndo={strokes.length > 0}
      canRedo={undone.length > 0}
      isWorking={retouched.isWorking}
      failure={retouched.failure}
      onBrush={onBrush}
      onUndo={() => edits.undo(id)}
      onRedo={() => edits.redo(id)}
    />
  );
}

interface CutoutFactsProps extends Pick<CutoutStageProps, 'item' | 'slug' | 'edits'> {
  /** File that a download saves, where it is not the result; null while it is unknown. */
  readonly saved: Blob | null | undefined;
}

function CutoutFacts({ item, slug, edits, saved }: CutoutFactsProps) {
  const [result] = getResults(item);
  const { canUndo, canRedo, undo, redo } = edits.shared;
  return (
    <FactsRow item={item} about={describeRun(item)} saved={saved}>
      {(canUndo || canRedo) && (
        <UndoButtons canUndo={canUndo} canRedo={canRedo} onUndo={undo} onRedo={redo} />
      )}
      {cutoutFiles(item) && (
        <CopyButton key={item.id} make={(signal) => exportPng(item, edits.getEdits(item.id), signal)} />
      )}
      {result && (
        <ShareComparison
          name={item.file.name}
          before={item.file}
          after={async (signal) => (await exportImage(item, edits.getEdits(item.id), signal))[0]?.file.blob}
        />
      )}
      {result && (
        <OpenInTool
          slug={slug}
          result={result}
          make={(signal) => exportImage(item, edits.getEdits(item.id), signal)}
        />
      )}
    </FactsRow>
  );
}

const VIEWS = {
  result: 'Result',
  compare: 'Compare',
  place: 'Place',
  edges: 'Edges',
  brush: 'Brush',
} as const;

const NO_STROKES: readonly [] = [];

interface UnfinishedProps {
  readonly name: string;
  readonly original: Blob;
  readonly preview: Preview;
  /** Coarse form of the cutout, once its run has one. */
  readonly draft: Draft | undefined;
  readonly background: BackgroundView;
  /** Progress of opening the image, where it must be converted first. */
  readonly progress: Progress | undefined;
}

function Unfinished({ name, original, preview, draft, background, progress }: UnfinishedProps) {
  // Where the browser cannot decode the image, its run may be further than its preview.
  const quickPreview = usePreview(useQuickPreview(draft && preview === undefined ? original : undefined));
  const shown = preview ?? quickPreview;
  if (draft && shown) {
    return <DraftCutout name={name} preview={shown} draft={draft} background={background} />;
  }
  if (preview === undefined) {
    return <Waiting words={`Opening ${name}`} progress={progress} image={original} />;
  }
  if (preview === null) return <p className={stage.pending}>{name} can't be shown here.</p>;
  return (
    <StagePlane>
      <BitmapCanvas bitmap={preview} label={name} />
    </StagePlane>
  );
}

/**
 * Explains how the subject is placed by hand, and undoes changes. It stands below the image, as the brush's bar
 * does.
 */
function PlaceBar({ look }: { readonly look: SharedEditsState }) {
  const { background, canvas, canUndo, canRedo, undo, redo } = look;
  return (
    <div className={bar.bar}>
      <UndoButtons canUndo={canUndo} canRedo={canRedo} onUndo={undo} onRedo={redo} />
      <button
        type="button"
        className={`button ${bar.worded}`}
        disabled={!canvas.position}
        onClick={() => look.setCanvas({ position: null })}
      >
        Put subject back
      </button>
      <p className={bar.status}>
        {canvas.size === 'passport' ? 'Fit the head between the lines.' : 'Drag the subject.'} Corners scale,
        the dot at its top turns.
        {background.kind === 'picture' && ' Drag next to it to move the background.'}
      </p>
    </div>
  );
}
