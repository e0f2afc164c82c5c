'use client';

import { type ReactNode, type Ref, useCallback, useEffect } from 'react';
import type { OperationId } from '../../../models/registry.ts';
import { isSavingData } from '../../offline/offline-support.tsx';
import { readRunTimes } from '../run-times/stored-run-times.ts';
import type { BatchItem } from '../runs/batch.ts';
import { useRunActions, useRunOutline, useShownFile } from '../runs/runs-context.ts';
import { EmptyStage } from '../stage/empty-stage.tsx';
import { Stage } from '../stage/stage.tsx';
import { TOOLS } from '../tools/tools.ts';
import styles from './tool-frame.module.css';
import type { ToolState } from './use-tool.ts';
import { getAccept } from './use-tool.ts';

/** Handlers of the element where a visitor looks for the first file. */
interface Approach {
  readonly onPointerEnter: () => void;
  readonly onFocus: () => void;
}

/** Pause after the page has opened, in which it draws itself. */
const OPENED_MS = 300;

interface FrameStageProps {
  /** Element that takes the focus from buttons that disappear. */
  readonly ref: Ref<HTMLElement>;
  readonly operationId: OperationId;
  readonly tool: ToolState;
  /** Replaces the default view of the selected file. */
  readonly children: ReactNode;
}

/** Shows the selected file, or where to put the first one. */
export function FrameStage({ ref, operationId, tool, children }: FrameStageProps) {
  const { selected } = useRunOutline();
  const shown = useShownFile();
  return (
    <section
      ref={ref}
      data-stage
      className={styles.stage}
      tabIndex={-1}
      aria-label={shown ? getName(shown.item) : 'Add files'}
    >
      {selected ? (
        (children ?? <PlainStage operationId={operationId} />)
      ) : (
        <FirstFile operationId={operationId} tool={tool} />
      )}
    </section>
  );
}

/** Asks for the first file, and prepares its run while the visitor chooses. */
function FirstFile({ operationId, tool }: Pick<FrameStageProps, 'operationId' | 'tool'>) {
  const { takes, sample } = TOOLS[operationId];
  const approach = usePreparedRun(operationId, tool.isDragging);
  return (
    <EmptyStage
      sample={sample}
      takes={takes}
      accept={getAccept(operationId)}
      links={tool.links}
      onFiles={tool.add}
      approach={approach}
    />
  );
}

function PlainStage({ operationId }: { readonly operationId: OperationId }) {
  const shown = useShownFile();
  const { live } = useRunActions();
  return shown && <Stage {...shown} slug={TOOLS[operationId].slug} onStop={live.cancel} />;
}

/** Names the stage by what it shows. */
function getName({ file, state }: BatchItem): string {
  return state.phase === 'done' ? `${file.name}, result` : file.name;
}

/**
 * Lets a worker load what a tool's run needs as soon as the visitor reaches for a file: by pointer, by keyboard, or by
 * dragging one over the window. Where the tool has run before, its files are on this device, and a visitor who opens it again
 * most likely runs it: there the worker loads them as soon as the page is open.
 */
function usePreparedRun(operationId: OperationId, isDragging: boolean): Approach {
  const prepare = useCallback(() => {
    if (!isSavingData()) void startWorker(operationId);
  }, [operationId]);
  useEffect(() => {
    if (isDragging) prepare();
  }, [isDragging, prepare]);
  useEffect(() => {
    if (readRunTimes(operationId).runs === 0) return;
    const timer = setTimeout(() => {
      if (!document.hidden) prepare();
    }, OPENED_MS);
    return () => clearTimeout(timer);
  }, [operationId, prepare]);
  return { onPointerEnter: prepare, onFocus: prepare };
}

/** Never rejects: a run without a prepared worker starts one, and says what is missing. */
async function startWorker(operationId: OperationId): Promise<void> {
  const loaded = await import('../../../workers/operation/run-operation.ts').catch(() => undefined);
  loaded?.prepareRun(operationId);
}
