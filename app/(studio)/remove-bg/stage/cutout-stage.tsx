'use client';

import { type ReactNode, useState } from 'react';
import type { BatchItem } from '../../batch/batch.ts';
import { resultsOf } from '../../batch/results.ts';
import { CopyButton } from '../../download/copy-button.tsx';
import { OpenInTool } from '../../download/open-in-tool.tsx';
import { probeImageFile } from '../../files/probe-image.ts';
import { FactsRow } from '../../stage/facts-row.tsx';
import stage from '../../stage/stage.module.css';
import { StageFailure } from '../../stage/stage-failure.tsx';
import { useFacts } from '../../stage/use-facts.ts';
import { StagePlane } from '../../stage/view/stage-plane.tsx';
import { StageWell } from '../../stage/view/stage-well.tsx';
import { ViewSwitch } from '../../stage/view-switch.tsx';
import { visibleBackground } from '../background/backgrounds.ts';
import { useBackgroundView } from '../background/use-background-view.ts';
import { type Brush, RADIUS } from '../edits/brush.ts';
import { BrushBar } from '../edits/brush-bar.tsx';
import type { ToolEdits } from '../edits/use-cutout-edits.ts';
import { useUndoKeys } from '../edits/use-undo-keys.ts';
import { cutoutFiles, exportImage, exportPng } from '../export/export-cutout.ts';
import { useExportedFile } from '../export/use-exported-file.ts';
import { describeRun } from '../model/engines.ts';
import type { NoticeActions } from '../model/low-confidence-notice.tsx';
import { BitmapCanvas } from './bitmap-canvas.tsx';
import styles from './cutout-stage.module.css';
import { CutoutView, type View } from './cutout-view.tsx';
import { type Preview, usePreview, useRetouched } from './use-bitmaps.ts';

interface CutoutStageProps {
  readonly item: BatchItem;
  readonly slug: string;
  readonly edits: ToolEdits;
  /** Says how far the result can be trusted, and what helps. */
  readonly notice: (ways: NoticeActions) => ReactNode;
}

/** Shows the image whose background is removed: on a checkerboard or a background, and under the brush. */
export function CutoutStage({ item, slug, edits, notice }: CutoutStageProps) {
  const { file, state, id } = item;
  const [view, setView] = useState<View>('result');
  const [brush, setBrush] = useState<Brush>({ mode: 'keep', radius: RADIUS.initial });
  const files = cutoutFiles(item);
  const [result] = resultsOf(item);
  const { strokes, undone } = edits.paintingOf(id);
  const before = usePreview(file);
  const found = usePreview(files?.cutout);
  const retouched = useRetouched(files, strokes, view === 'brush');
  const after = retouched.bitmap ?? found;
  const backgroundView = useBackgroundView(visibleBackground(edits));
  const facts = useFacts(file, probeImageFile);
  const history = { undo: () => edits.undo(id), redo: () => edits.redo(id) };
  useUndoKeys(history);
  // The brush's strokes follow each other, and its bar replaces the facts.
  const saved = useExportedFile(item, edits.editsOf(id), view === 'brush' ? undefined : facts);
  return (
    <div className={stage.stage}>
      <div className={stage.picture} data-phase={state.phase}>
        <StageWell
          image={facts ?? before ?? undefined}
          phase={state.phase}
          isTransparent={files !== undefined && (view === 'brush' || backgroundView === 'nothing')}
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
              brush={brush}
              pending={retouched.isWorking ? strokes.slice(-1) : NO_STROKES}
              onBrush={setBrush}
              onStroke={(stroke) => edits.paint(id, stroke)}
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
          <FactsRow item={item} extra={describeRun(item)} showsSizeChange={false} saved={saved}>
            {files && <CopyButton key={id} make={(signal) => exportPng(item, edits.editsOf(id), signal)} />}
            {result && (
              <OpenInTool
                slug={slug}
                result={result}
                make={(signal) => exportImage(item, edits.editsOf(id), signal)}
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
