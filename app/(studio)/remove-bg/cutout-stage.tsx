'use client';

import { type ReactNode, useState } from 'react';
import type { BatchItem } from '../batch/batch.ts';
import { resultsOf } from '../batch/results.ts';
import { probeImageFile } from '../files/probe-image.ts';
import { CopyButton } from '../frame/copy-button.tsx';
import { FactsRow } from '../frame/facts-row.tsx';
import { OpenInTool } from '../frame/open-in-tool.tsx';
import stage from '../frame/stage.module.css';
import { StageFailure } from '../frame/stage-failure.tsx';
import { StagePlane } from '../frame/stage-plane.tsx';
import { StageWell } from '../frame/stage-well.tsx';
import { useFacts } from '../frame/use-facts.ts';
import { ViewSwitch } from '../frame/view-switch.tsx';
import { visibleBackground } from './backgrounds.ts';
import { BitmapCanvas } from './bitmap-canvas.tsx';
import { type Brush, RADIUS } from './brush.ts';
import { BrushBar } from './brush-bar.tsx';
import styles from './cutout-stage.module.css';
import { CutoutView, type View } from './cutout-view.tsx';
import { runFacts } from './engines.ts';
import { cutoutFiles, finishedPng, finishedResult } from './finished.ts';
import type { NoticeWays } from './low-confidence-notice.tsx';
import { useBackgroundView } from './use-background-view.ts';
import { type Preview, usePreview, useRetouched } from './use-bitmaps.ts';
import type { ToolEdits } from './use-cutout-edits.ts';
import { useFinishedFile } from './use-finished-file.ts';
import { useUndoKeys } from './use-undo-keys.ts';

interface CutoutStageProps {
  readonly item: BatchItem;
  readonly slug: string;
  readonly looks: ToolEdits;
  /** Says how far the result can be trusted, and what helps. */
  readonly notice: (ways: NoticeWays) => ReactNode;
}

/** Shows the image whose background is removed: on a checkerboard or a background, and under the brush. */
export function CutoutStage({ item, slug, looks, notice }: CutoutStageProps) {
  const { file, state, id } = item;
  const [view, setView] = useState<View>('result');
  const [brush, setBrush] = useState<Brush>({ mode: 'keep', radius: RADIUS.initial });
  const files = cutoutFiles(item);
  const [result] = resultsOf(item);
  const { strokes, undone } = looks.paintingOf(id);
  const before = usePreview(file);
  const found = usePreview(files?.cutout);
  const retouched = useRetouched(files, strokes, view === 'brush');
  const after = retouched.bitmap ?? found;
  const ground = useBackgroundView(visibleBackground(looks));
  const facts = useFacts(file, probeImageFile);
  const history = { undo: () => looks.undo(id), redo: () => looks.redo(id) };
  useUndoKeys(history);
  // The brush's strokes follow each other, and its bar replaces the facts.
  const saved = useFinishedFile(item, looks.lookOf(id), view === 'brush' ? undefined : facts);
  return (
    <div className={stage.stage}>
      <div className={stage.picture} data-phase={state.phase}>
        <StageWell
          image={facts ?? before ?? undefined}
          phase={state.phase}
          isTransparent={files !== undefined && (view === 'brush' || ground === 'nothing')}
        >
          {files && before && after ? (
            <CutoutView
              view={view}
              name={file.name}
              original={files.original}
              cutout={retouched.bitmap ? undefined : files.cutout}
              before={before}
              after={after}
              behind={ground}
              brush={brush}
              pending={retouched.isWorking ? strokes.slice(-1) : NO_STROKES}
              onBrush={setBrush}
              onStroke={(stroke) => looks.paint(id, stroke)}
            />
          ) : (
            <Waiting name={file.name} preview={before} />
          )}
        </StageWell>
        <StageFailure item={item} slug={slug} />
      </div>
      <div className={styles.below}>
        {view !== 'brush' && notice({ isPainted: strokes.length > 0, onBrush: () => setView('brush') })}
        {files && view === 'brush' ? (
          <BrushBar
            brush={brush}
            canUndo={strokes.length > 0}
            canRedo={undone.length > 0}
            isWorking={retouched.isWorking}
            failure={retouched.failure}
            onBrush={setBrush}
            onUndo={history.undo}
            onRedo={history.redo}
          />
        ) : (
          <FactsRow item={item} extra={runFacts(item)} isAboutSize={false} saved={saved}>
            {files && <CopyButton key={id} make={(signal) => finishedPng(item, looks.lookOf(id), signal)} />}
            {result && (
              <OpenInTool
                slug={slug}
                result={result}
                make={(signal) => finishedResult(item, looks.lookOf(id), signal)}
              />
            )}
          </FactsRow>
        )}
      </div>
      {files && <ViewSwitch views={VIEWS} view={view} onView={setView} />}
    </div>
  );
}

const VIEWS = { result: 'Result', compare: 'Compare', edges: 'Edges', brush: 'Brush' } as const;
const NO_STROKES: readonly [] = [];

function Waiting({ name, preview }: { readonly name: string; readonly preview: Preview }) {
  if (preview === undefined) return <p className={stage.pending}>Opening {name}…</p>;
  if (preview === null) return <p className={stage.pending}>{name} can't be shown here.</p>;
  return (
    <StagePlane>
      <BitmapCanvas bitmap={preview} label={name} />
    </StagePlane>
  );
}
