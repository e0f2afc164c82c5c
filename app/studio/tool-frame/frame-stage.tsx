'use client';

import { type ReactNode, type Ref, useEffect } from 'react';
import type { OperationId } from '../../../models/registry.ts';
import { readRunTimes } from '../run-times/stored-run-times.ts';
import type { BatchItem } from '../runs/batch.ts';
import { useRunActions, useRunOutline, useShownFile } from '../runs/runs-context.ts';
import { EmptyStage } from '../stage/empty-stage.tsx';
import { Stage } from '../stage/stage.tsx';
import { prepareOnApproach, prepareTool } from '../tools/prepare-tool.ts';
import { TOOLS } from '../tools/tools.ts';
import styles from './tool-frame.module.css';
import type { ToolState } from './use-tool.ts';
import { getAccept } from './use-tool.ts';

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
  usePreparedRun(operationId, tool.isDragging);
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

/** Asks for the first file. */
function FirstFile({ operationId, tool }: Pick<FrameStageProps, 'operationId' | 'tool'>) {
  const { takes, sample } = TOOLS[operationId];
  return (
    <EmptyStage
      sample={sample}
      takes={takes}
      accept={getAccept(operationId)}
      onFiles={tool.add}
      approach={prepareOnApproach(operationId)}
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
 * Lets a worker load what a tool's run needs as soon as the visitor drags a file over the window. Where the tool has run
 * before, its files are on this device, and a visitor who opens it again most likely runs it: there the worker loads
 * them as soon as the page is open.
 */
function usePreparedRun(operationId: OperationId, isDragging: boolean): void {
  useEffect(() => {
    if (isDragging) void prepareTool(operationId);
  }, [operationId, isDragging]);
  useEffect(() => {
    if (readRunTimes(operationId).runs === 0) return;
    const timer = setTimeout(() => {
      if (!document.hidden) void prepareTool(operationId);
    }, OPENED_MS);
    return () => clearTimeout(timer);
  }, [operationId]);
}
