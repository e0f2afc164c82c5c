'use client';

import { Keyboard, LayoutGrid } from 'lucide-react';
import { lazy, type ReactNode, type Ref, type RefObject, Suspense, useMemo, useRef, useState } from 'react';
import type { OperationId } from '../../../models/registry.ts';
import { formatCount } from '../../ui/quantities.ts';
import { LinkNotice } from '../add-files/link-controls.tsx';
import { RefusalNotice } from '../add-files/refusal-notice.tsx';
import { AllFiles } from '../download/all-files.tsx';
import type { DownloadOptions, PrepareFiles } from '../download/download-run.ts';
import { finishLiveRun } from '../download/download-run.ts';
import { ChoiceField } from '../form/choice-field.tsx';
import { ParamsForm } from '../form/params-form.tsx';
import type { RunLocation } from '../runs/batch.ts';
import { describeRunFit, describeServerRun } from '../runs/describe-run.ts';
import { completeHandling, type FileHandling } from '../runs/file-handling.ts';
import {
  type RunSettings,
  useRunActions,
  useRunFiles,
  useRunOutline,
  useRunPlaces,
  useRunSettings,
  useShownFile,
} from '../runs/runs-context.ts';
import { RunsProvider } from '../runs/runs-provider.tsx';
import { describeServerEngine } from '../runs/use-server-engine.ts';
import { openShortcuts } from '../shortcuts/shortcuts-dialog.tsx';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import { FrameSlotsProvider, TallStageProvider, useFrameSlots } from '../stage/frame-slots.tsx';
import { useStageFocus } from '../stage/use-stage-focus.ts';
import type { Field, ParamValues } from '../tools/fields.ts';
import { TOOLS } from '../tools/tools.ts';
import { summarise, type Wording } from '../tools/wording.ts';
import { FrameStage } from './frame-stage.tsx';
import { SettingsPanel } from './settings-panel.tsx';
import type { TileFacts } from './tile-fact.ts';
import styles from './tool-frame.module.css';
import { UndoNotice } from './undo-notice.tsx';
import { type ToolState, useTool } from './use-tool.ts';

interface FrameHeadProps {
  /** Name of the tool. */
  readonly title: string;
  /** One sentence about it. */
  readonly lead: ReactNode;
  /** Slot of the view switch. */
  readonly views: Ref<HTMLDivElement>;
  /** Buttons next to them. */
  readonly children: ReactNode;
}

const PLACES: Readonly<Record<RunLocation, string>> = { device: 'This device', server: 'Our server' };

interface FrameSettingsProps {
  readonly operationId: OperationId;
  readonly fields: readonly Field[];
  readonly wording: Wording;
  readonly tool: ToolState;
  readonly download: DownloadOptions;
  /** Settings next to the operation's own params. */
  readonly children: ReactNode;
}

interface FrameNoticesProps {
  readonly operationId: OperationId;
  readonly tool: ToolState;
}

/** Opens the picker of the tool's own files: the first of the page. */
const CHOOSE = 'input[type=file][multiple]';

/** The primary action, unless it costs money: a key that is hit by accident must not. */
const ACT = '.button-primary:not(:disabled, [data-paid])';

// Loaded with the first file.
const FileStrip = lazy(async () => ({ default: (await import('./file-strip.tsx')).FileStrip }));

const ActionBar = lazy(async () => ({ default: (await import('./action-bar.tsx')).ActionBar }));

interface ToolFrameProps {
  readonly operationId: OperationId;
  readonly fields: readonly Field[];
  /** Fields of `settings` that the operation does not have. */
  readonly ownFields?: readonly Field[];
  readonly wording: Wording;
  /** Sentence about the tool, where it depends on the choices. */
  readonly lead?: (settings: RunSettings) => string;
  /** Settings in a few words, where the operation's own params do not describe them. */
  readonly summary?: (values: ParamValues) => string;
  readonly handling?: Partial<FileHandling>;
  readonly results?: ResultHandling;
  /** Replaces the default view of the selected file. */
  readonly stage?: ReactNode;
  /** List of several files, which replaces stage and strip; undefined while these are shown. */
  readonly list?: ((tool: ToolState) => ReactNode) | undefined;
  /** Called when the visitor asks for one file in the strip, even for the selected one. */
  readonly onShow?: () => void;
  /** Settings next to the operation's own params. */
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
 * Workbench of any tool, as tall as the window: head, stage and strip of files, next to them the settings with the
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
  const { operationId, fields, wording, lead = () => wording.lead } = props;
  const { summary = (values) => summarise(fields, wording, values) } = props;
  const { slug, name } = TOOLS[operationId];
  const tool = useTool(operationId);
  const { count, isRunning, selected } = useRunOutline();
  const { batch, live } = useRunActions();
  const { finish = finishLiveRun({ batch, live }), getIssue = () => undefined } = results;
  const [isGrid, setGrid] = useState(false);
  const download = { finish, isResult: !results.finish, getIssue, zipName: `darkroom-${slug}.zip` };
  const slots = useFrameSlots();
  const [isTall, setTall] = useState(false);
  const stage = useStageFocus(tool.additions, count, isRunning);
  const bench = useRef<HTMLDivElement>(null);
  useFrameShortcuts(bench, selected !== undefined);
  const part = { operationId, wording, tool, download };
  const files = { ...part, stage, facts: results };
  const showOne = () => {
    setGrid(false);
    props.onShow?.();
  };
  const grid = isGrid && (
    <Suspense>
      <FileStrip {...files} isGrid onShow={showOne} />
    </Suspense>
  );
  const list = count > 1 ? props.list?.(tool) || grid : undefined;
  return (
    <FrameSlotsProvider value={slots.elements}>
      <div ref={bench} className={styles.bench} data-dragging={tool.isDragging}>
        <div className={styles.work}>
          <FrameHead title={name} lead={<Lead lead={lead} />} views={slots.refs.views}>
            {count > 1 && !props.list && <GridSwitch isGrid={isGrid} onGrid={setGrid} />}
          </FrameHead>
          <FrameNotices operationId={operationId} tool={tool} />
          <TallStageProvider value={setTall}>
            <FrameStage ref={stage} operationId={operationId} tool={tool}>
              {list || props.stage}
            </FrameStage>
          </TallStageProvider>
          {selected && !list && (
            <Suspense>
              <FileStrip {...files} isGrid={false} onShow={props.onShow} />
            </Suspense>
          )}
        </div>
        <SettingsPanel
          isTall={isTall}
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

/** Registers the shortcuts that every tool has. */
function useFrameShortcuts(bench: RefObject<HTMLElement | null>, hasFile: boolean): void {
  const press = (selector: string) => bench.current?.querySelector<HTMLElement>(selector)?.click();
  useShortcuts('Files', [
    { keys: ['O'], does: 'Choose files', run: () => press(CHOOSE) },
    { keys: ['Mod+V'], does: 'Add copied files or links' },
    ...(hasFile ? [{ keys: ['Mod+Enter'], does: 'Run, or download', run: () => press(ACT) }] : []),
  ]);
}

/** Says what became of links, of an earlier session and of files that the tool does not accept. */
function FrameNotices({ operationId, tool }: FrameNoticesProps) {
  return (
    <div className={styles.notices}>
      <LinkNotice links={tool.links} />
      <SessionNotice />
      <RefusalNotice tool={TOOLS[operationId]} refused={tool.refused} onClose={tool.dismissRefused} />
    </div>
  );
}

/** Shows the operation's params, the tool's own settings, and what concerns all files. */
function FrameSettings(props: FrameSettingsProps) {
  const { operationId, fields, wording, tool, download, children } = props;
  const { values } = useRunSettings();
  const { isRunning, selected } = useRunOutline();
  const { applyAndStart } = useRunActions();
  return (
    <>
      <ParamsForm
        fields={fields}
        wording={wording}
        values={values}
        disabled={isRunning}
        onChange={applyAndStart}
      />
      {children}
      <LocationChoice />
      {selected && (
        <AllFiles slug={TOOLS[operationId].slug} finish={download.finish} onRemove={() => tool.remove()} />
      )}
    </>
  );
}

function Lead({ lead }: { readonly lead: (settings: RunSettings) => string }) {
  return lead(useRunSettings());
}

/** Names the settings in a few words. */
function SettingsSummary({ summary }: { readonly summary: (values: ParamValues) => string }) {
  const words = summary(useRunSettings().values);
  return <>{['Settings', words].filter(Boolean).join(' · ')}</>;
}

/**
 * Lets the visitor choose where files are processed, and says where the selected one can be; the default is here. Why a
 * run failed, the stage says.
 */
function LocationChoice() {
  const { location } = useRunSettings();
  const { isRunning, selected } = useRunOutline();
  const { fits, serverEngine, isSoldOut } = useRunPlaces();
  const { chooseLocation } = useRunActions();
  const hasFailed = useShownFile()?.item.state.phase === 'failed';
  // There the result would be the same, for money.
  if (serverEngine?.isOnDevice && location === 'device') return null;
  const onServer = describeServerRun(describeServerEngine(serverEngine), isSoldOut);
  const onDevice = hasFailed ? '' : describeRunFit(selected && fits.get(selected.id));
  return (
    <ChoiceField
      label="Where to run"
      name="place"
      choices={PLACES}
      value={location}
      explanation={location === 'device' ? onDevice : onServer}
      disabled={isRunning}
      onChange={chooseLocation}
    />
  );
}

/** Says which runs a reload stopped, and which files and results the next one would lose. */
function SessionNotice() {
  const { items, unsaved } = useRunFiles();
  const stopped = items.filter(({ state }) => state.phase === 'waiting' && state.wasStopped).length;
  const lost = [
    unsaved.files > 0 && formatCount(unsaved.files, 'file'),
    unsaved.results > 0 && formatCount(unsaved.results, 'result'),
  ].filter((part) => part !== false);
  const notices = [
    stopped > 0 &&
      `The reload stopped ${formatCount(stopped, 'run')}. Start ${stopped === 1 ? 'it' : 'them'} again.`,
    lost.length > 0 && `A reload would lose ${lost.join(' and ')}: this browser could not store them.`,
  ].filter((notice) => notice !== false);
  return (
    <div role="status">
      {notices.map((notice) => (
        <p key={notice} className={styles.notice}>
          {notice}
        </p>
      ))}
    </div>
  );
}

interface GridSwitchProps {
  readonly isGrid: boolean;
  readonly onGrid: (isGrid: boolean) => void;
}

/** Shows all files as a grid, or one of them. */
function GridSwitch({ isGrid, onGrid }: GridSwitchProps) {
  const toggle = () => onGrid(!isGrid);
  useShortcuts('View', [{ keys: ['G'], does: 'Show all files, or one', run: toggle }]);
  return (
    <button
      type="button"
      className={`button-icon ${styles.grid}`}
      aria-label="All files"
      title="All files"
      aria-pressed={isGrid}
      onClick={toggle}
    >
      <LayoutGrid size={20} strokeWidth={1.5} aria-hidden />
    </button>
  );
}

/** Title of the tool and one sentence; on the right the views of the stage. */
function FrameHead({ title, lead, views, children }: FrameHeadProps) {
  return (
    <header>
      <div className={styles.head}>
        <h1>{title}</h1>
        <p>{lead}</p>
        <div ref={views} className={styles.views} />
        {children}
        <button
          type="button"
          className={`button-icon ${styles.keys}`}
          aria-label="Keyboard shortcuts"
          aria-haspopup="dialog"
          onClick={openShortcuts}
        >
          <Keyboard size={20} strokeWidth={1.5} aria-hidden />
        </button>
      </div>
    </header>
  );
}
