'use client';

import { type ReactNode, useRef } from 'react';
import type { OperationId } from '../../../models/registry.ts';
import { ActionBar } from '../actions/action-bar.tsx';
import { LocationChoice } from '../actions/location-choice.tsx';
import { RefusalNotice } from '../add-files/refusal-notice.tsx';
import type { BatchItem } from '../batch/batch.ts';
import { AllFiles } from '../download/all-files.tsx';
import type { IssueOf, PrepareFiles } from '../download/download-run.ts';
import { finishLiveRun } from '../download/finish-live.ts';
import { useDownload } from '../download/use-download.ts';
import { ParamsForm } from '../form/params-form.tsx';
import { LinkNotice } from '../links/link-notice.tsx';
import { type Field, valuesOf } from '../params/fields.ts';
import { summarise, type Wording } from '../params/wording.ts';
import { SessionNotice } from '../runs/session-notice.tsx';
import type { FileHandling, FileRuns } from '../runs/use-file-runs.ts';
import { EmptyStage } from '../stage/empty-stage.tsx';
import { FrameSlotsProvider, useFrameSlots } from '../stage/frame-slots.tsx';
import { Stage } from '../stage/stage.tsx';
import { useStageFocus } from '../stage/use-stage-focus.ts';
import { AddTile } from '../strip/add-tile.tsx';
import { ContactSheet } from '../strip/contact-sheet.tsx';
import type { SavedBytesOf } from '../strip/tile-fact.ts';
import { TOOLS } from '../tools/tools.ts';
import { UndoNotice } from '../undo/undo-notice.tsx';
import { FrameHead } from './frame-head.tsx';
import { SettingsPanel } from './settings-panel.tsx';
import styles from './tool-frame.module.css';
import { useFrameShortcuts } from './use-frame-shortcuts.ts';
import { useTool } from './use-tool.ts';

interface ToolFrameProps extends Partial<FileHandling> {
  readonly operationId: OperationId;
  readonly fields: readonly Field[];
  /** Fields of `settings` that the operation does not have. */
  readonly ownFields?: readonly Field[];
  readonly wording: Wording;
  /** Replaces the default view of the selected file. */
  readonly stage?: (item: BatchItem, runs: FileRuns) => ReactNode;
  /** Called when the visitor asks for one file in the strip, even for the selected one. */
  readonly onShow?: () => void;
  /** Settings in a few words, where the operation's own params do not describe them. */
  readonly summary?: (selected: BatchItem | undefined, runs: FileRuns) => string;
  /** Settings beside the operation's own params. */
  readonly settings?: (selected: BatchItem | undefined, runs: FileRuns) => ReactNode;
  /** Warning of a loss by the chosen settings. Shown above the action. */
  readonly notice?: (runs: FileRuns) => ReactNode;
  readonly finish?: PrepareFiles;
  /** Says in a few words why a result is of no use as it is; it is then marked, and left out of a zip. */
  readonly issueOf?: IssueOf;
  /** Size of the file that a download saves, where it is not the result. */
  readonly savedBytesOf?: SavedBytesOf;
  /** Says in a few words what a run found, where that is the result. */
  readonly verdictOf?: (item: BatchItem) => string | undefined;
}

/**
 * Workbench of any tool, as tall as the window: head, stage and strip of files, beside them the settings with the
 * action. Only settings and strip scroll.
 */
export function ToolFrame(props: ToolFrameProps) {
  const { operationId, fields, ownFields = [], wording, issueOf = () => undefined } = props;
  const { slug, name, takes, extensions, sample } = TOOLS[operationId];
  const tool = useTool(operationId, [...fields, ...ownFields], handlingOf(props));
  const { runs, links, isDragging, add } = tool;
  const { selected } = runs;
  const finish = props.finish ?? finishLiveRun(runs);
  const downloads = useDownload(operationId, { finish, zipName: `darkroom-${slug}.zip`, issueOf });
  const slots = useFrameSlots();
  const stage = useStageFocus(tool.additions, runs);
  const bench = useRef<HTMLDivElement>(null);
  useFrameShortcuts(bench);
  const accept = [...takes.map((kind) => `${kind}/*`), ...extensions].join(',');
  return (
    <FrameSlotsProvider value={slots.elements}>
      <div ref={bench} className={styles.bench} data-dragging={isDragging}>
        <div className={styles.work}>
          <FrameHead title={name} lead={wording.lead} views={slots.refs.views} />
          <div className={styles.notices}>
            <LinkNotice links={links} />
            <SessionNotice items={runs.items} unkept={runs.unsaved} />
            <RefusalNotice tool={TOOLS[operationId]} refused={tool.refused} onClose={tool.dismissRefused} />
          </div>
          <section
            ref={stage}
            data-stage
            className={styles.stage}
            tabIndex={-1}
            aria-label={selected ? nameOf(runs.shownOf(selected).item) : 'Add files'}
          >
            {selected ? (
              (props.stage?.(selected, runs) ?? (
                <Stage {...runs.shownOf(selected)} slug={slug} onStop={runs.live.cancel} />
              ))
            ) : (
              <EmptyStage sample={sample} takes={takes} accept={accept} links={links} onFiles={add} />
            )}
          </section>
          {selected && (
            <ContactSheet
              items={runs.items}
              selectedId={selected.id}
              showsSizeChange={wording.showsSizeChange}
              issueOf={(item) => issueOf(item) ?? lackIn(item, runs)}
              {...{ shownOf: runs.shownOf, savedBytesOf: props.savedBytesOf, verdictOf: props.verdictOf }}
              onSelect={(id) => {
                tool.select(id);
                props.onShow?.();
                // In a low window the page scrolls.
                stage.current?.scrollIntoView({ block: 'nearest' });
              }}
              isDownloading={downloads.progress !== null}
              onDownload={(item) => downloads.save([item])}
              onRetry={runs.location === 'device' ? runs.start : undefined}
              onRemove={tool.remove}
              add={<AddTile accept={accept} onFiles={add} />}
            />
          )}
        </div>
        <SettingsPanel
          summary={props.summary?.(selected, runs) ?? summarise(fields, wording, runs.values)}
          form={
            <Settings {...props} runs={runs}>
              {selected && (
                <AllFiles runs={runs} slug={slug} finish={finish} onRemove={() => tool.remove()} />
              )}
            </Settings>
          }
          foot={slots.refs.facts}
          action={
            selected ? (
              <ActionBar runs={runs} wording={wording} downloads={downloads} notice={props.notice?.(runs)} />
            ) : null
          }
        />
      </div>
      <UndoNotice undo={tool.undo} home={stage} />
    </FrameSlotsProvider>
  );
}

/** Returns a tool's handling of files, with the usual one for whatever it leaves out. */
function handlingOf(props: ToolFrameProps): FileHandling {
  return {
    paramsFor: props.paramsFor ?? ((_file, values) => valuesOf(props.fields, values)),
    settingsFor: props.settingsFor ?? (() => undefined),
    startsAutomatically: props.startsAutomatically ?? (() => false),
    isLive: props.isLive ?? false,
    keepsResults: props.keepsResults ?? false,
    improvesOnServer: props.improvesOnServer,
  };
}

interface SettingsProps extends Pick<ToolFrameProps, 'fields' | 'wording' | 'settings'> {
  readonly runs: FileRuns;
  readonly children: ReactNode;
}

function Settings({ fields, wording, settings, runs, children }: SettingsProps) {
  return (
    <>
      <ParamsForm
        fields={fields}
        wording={wording}
        values={runs.values}
        disabled={runs.isRunning}
        onChange={runs.applyAndStart}
      />
      {settings?.(runs.selected, runs)}
      <LocationChoice runs={runs} selected={runs.selected} />
      {children}
    </>
  );
}

/** Names the stage by what it shows. */
function nameOf({ file, state }: BatchItem): string {
  return state.phase === 'done' ? `${file.name}, result` : file.name;
}

/** Says on its tile that a waiting file cannot run on this device. */
function lackIn({ id, state }: BatchItem, { fits }: FileRuns): string | undefined {
  const needsServer = state.phase === 'waiting' && fits.get(id)?.run.verdict === 'server';
  return needsServer ? 'needs the server' : undefined;
}
