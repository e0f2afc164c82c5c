'use client';

import type { ReactNode, Ref } from 'react';
import type { OperationId } from '../../../models/registry.ts';
import type { BatchItem } from '../runs/batch.ts';
import { useRunActions, useRunOutline, useShownFile } from '../runs/runs-context.ts';
import { EmptyStage } from '../stage/empty-stage.tsx';
import { Stage } from '../stage/stage.tsx';
import { TOOLS } from '../tools/tools.ts';
import { acceptOf } from './accepted-files.ts';
import styles from './tool-frame.module.css';
import { usePreparedRun } from './use-prepared-run.ts';
import type { ToolState } from './use-tool.ts';

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
      aria-label={shown ? nameOf(shown.item) : 'Add files'}
    >
      {selected ? (
        (children ?? <PlainStage operationId={operationId} />)
      ) : (
        <FirstFile operationId={operationId} tool={tool} />
      )}
    </section>
  );
}

/** Asks for the first file, and prepares its run meanwhile. */
function FirstFile({ operationId, tool }: Pick<FrameStageProps, 'operationId' | 'tool'>) {
  const { takes, sample } = TOOLS[operationId];
  const approach = usePreparedRun(operationId, tool.isDragging);
  return (
    <EmptyStage
      sample={sample}
      takes={takes}
      accept={acceptOf(operationId)}
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
function nameOf({ file, state }: BatchItem): string {
  return state.phase === 'done' ? `${file.name}, result` : file.name;
}
