'use client';

import { lazy, type ReactNode, Suspense, useMemo, useRef } from 'react';
import type { OperationId } from '../../../models/registry.ts';
import type { PrepareFiles } from '../download/download-run.ts';
import { finishLiveRun } from '../download/finish-live.ts';
import { completeHandling, type FileHandling } from '../runs/file-handling.ts';
import { useRunActions, useRunOutline } from '../runs/runs-context.ts';
import { RunsProvider } from '../runs/runs-provider.tsx';
import { FrameSlotsProvider, useFrameSlots } from '../stage/frame-slots.tsx';
import { useStageFocus } from '../stage/use-stage-focus.ts';
import type { Field, ParamValues } from '../tools/fields.ts';
import { TOOLS } from '../tools/tools.ts';
import { summarise, type Wording } from '../tools/wording.ts';
import { FrameHead } from './frame-head.tsx';
import { FrameNotices } from './frame-notices.tsx';
import { FrameSettings, SettingsSummary } from './frame-settings.tsx';
import { FrameStage } from './frame-stage.tsx';
import { SettingsPanel } from './settings-panel.tsx';
import type { TileFacts } from './tile-fact.ts';
import styles from './tool-frame.module.css';
import { UndoNotice } from './undo-notice.tsx';
import { useFrameShortcuts } from './use-frame-shortcuts.ts';
import { useTool } from './use-tool.ts';

// Loaded with the first file.
const FileStrip = lazy(async () => ({ default: (await import('./file-strip.tsx')).FileStrip }));
const ActionBar = lazy(async () => ({ default: (await import('./action-bar.tsx')).ActionBar }));

interface ToolFrameProps {
  readonly operationId: OperationId;
  readonly fields: readonly Field[];
  /** Fields of `settings` that the operation does not have. */
  readonly ownFields?: readonly Field[];
  readonly wording: Wording;
  /** Settings in a few words, where the operation's own params do not describe them. */
  readonly summary?: (values: ParamValues) => string;
  readonly handling?: Partial<FileHandling>;
  readonly results?: ResultHandling;
  /** Replaces the default view of the selected file. */
  readonly stage?: ReactNode;
  /** Called when the visitor asks for one file in the strip, even for the selected one. */
  readonly onShow?: () => void;
  /** Settings beside the operation's own params. */
  readonly settings?: ReactNode;
  /** Warning of a loss by the chosen settings. Shown above the action. */
  readonly notice?: ReactNode;
}

/** Differences between the results of one tool. */
interface ResultHandling extends TileFacts {
  /** Prepares the files of a download, where they are not the results as they are. */
  readonly finish?: PrepareFiles;
}

const NO_FIELDS: readonly Field[] = [];
const NO_DIFFERENCES = {} as const;

/**
 * Workbench of any tool, as tall as the window: head, stage and strip of files, beside them the settings with the
 * action. Only settings and strip scroll. Its parts read the tool's state from the contexts of `RunsProvider`, so that
 * the frame itself does not render again with the progress of a run.
 */
export function ToolFrame(props: ToolFrameProps) {
  const { operationId, fields, ownFields = NO_FIELDS, handling = NO_DIFFERENCES } = props;
  const allFields = useMemo(() => [...fields, ...ownFields], [fields, ownFields]);
  return (
    <RunsProvider operationId={operationId} fields={allFields} handling={completeHandling(handling, fields)}>
      <Workbench {...props} />
    </RunsProvider>
  );
}

function Workbench({ results = NO_DIFFERENCES, ...props }: ToolFrameProps) {
  const { operationId, fields, wording, summary = (values) => summarise(fields, wording, values) } = props;
  const { slug, name } = TOOLS[operationId];
  const tool = useTool(operationId);
  const { count, isRunning, selected } = useRunOutline();
  const { batch, live } = useRunActions();
  const { finish = finishLiveRun({ batch, live }), issueOf = () => undefined } = results;
  const download = { finish, issueOf, zipName: `darkroom-${slug}.zip` };
  const slots = useFrameSlots();
  const stage = useStageFocus(tool.additions, count, isRunning);
  const bench = useRef<HTMLDivElement>(null);
  useFrameShortcuts(bench);
  const part = { operationId, wording, tool, download };
  return (
    <FrameSlotsProvider value={slots.elements}>
      <div ref={bench} className={styles.bench} data-dragging={tool.isDragging}>
        <div className={styles.work}>
          <FrameHead title={name} lead={wording.lead} views={slots.refs.views} />
          <FrameNotices operationId={operationId} tool={tool} />
          <FrameStage ref={stage} operationId={operationId} tool={tool}>
            {props.stage}
          </FrameStage>
          {selected && (
            <Suspense>
              <FileStrip {...part} stage={stage} facts={results} onShow={props.onShow} />
            </Suspense>
          )}
        </div>
        <SettingsPanel
          summary={<SettingsSummary summary={summary} />}
          form={
            <FrameSettings {...part} fields={fields}>
              {props.settings}
            </FrameSettings>
          }
          foot={slots.refs.facts}
          action={
            selected ? (
              <Suspense>
                <ActionBar {...part} notice={props.notice} />
              </Suspense>
            ) : null
          }
        />
      </div>
      <UndoNotice undo={tool.undo} home={stage} />
    </FrameSlotsProvider>
  );
}
