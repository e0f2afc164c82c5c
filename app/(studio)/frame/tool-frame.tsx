'use client';

import { type ReactNode, useRef } from 'react';
import type { OperationId } from '../../../models/registry.ts';
import type { BatchItem } from '../batch/batch.ts';
import { LinkNotice } from '../links/link-notice.tsx';
import { SessionNotice } from '../session/session-notice.tsx';
import { TOOLS } from '../tools/tools.ts';
import { UndoNotice } from '../undo/undo-notice.tsx';
import { ActionBar } from './action-bar.tsx';
import { AddTile } from './add-tile.tsx';
import { AllFiles } from './all-files.tsx';
import { ContactSheet } from './contact-sheet.tsx';
import type { Finish, FlawOf } from './download-run.ts';
import { EmptyStage } from './empty-stage.tsx';
import { type Field, valuesOf } from './fields.ts';
import { finishLive } from './finish-live.ts';
import { FrameHead } from './frame-head.tsx';
import { FrameSlotsProvider, useFrameSlots } from './frame-slots.tsx';
import { ParamsForm } from './params-form.tsx';
import { PlaceChoice } from './place-choice.tsx';
import { RefusalNotice } from './refusal-notice.tsx';
import { SettingsPanel } from './settings-panel.tsx';
import { Stage } from './stage.tsx';
import type { SavedBytesOf } from './tile-fact.ts';
import styles from './tool-frame.module.css';
import { useDownload } from './use-download.ts';
import type { FileHandling, FileRuns } from './use-file-runs.ts';
import { useFrameShortcuts } from './use-frame-shortcuts.ts';
import { useStageFocus } from './use-stage-focus.ts';
import { useTool } from './use-tool.ts';
import { summarise, type Wording } from './wording.ts';

interface ToolFrameProps extends Partial<FileHandling> {
  readonly operationId: OperationId;
  readonly fields: readonly Field[];
  /** Fields of `settings` that the operation does not have. */
  readonly ownFields?: readonly Field[];
  readonly wording: Wording;
  /** Replaces the default view of the selected file. */
  readonly stage?: (item: BatchItem, work: FileRuns) => ReactNode;
  /** Called when the visitor asks for one file in the strip, even for the selected one. */
  readonly onShow?: () => void;
  /** Settings in a few words, where the operation's own params do not describe them. */
  readonly summary?: (selected: BatchItem | undefined, work: FileRuns) => string;
  /** Settings beside the operation's own params. */
  readonly settings?: (selected: BatchItem | undefined, work: FileRuns) => ReactNode;
  /** Warning of a loss by the chosen settings. Shown above the action. */
  readonly notice?: (work: FileRuns) => ReactNode;
  readonly finish?: Finish;
  /** Says in a few words why a result is of no use as it is; it is then marked, and left out of a zip. */
  readonly flawOf?: FlawOf;
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
  const { operationId, fields, ownFields = [], wording, flawOf = () => undefined } = props;
  const { slug, name, takes, extensions, sample } = TOOLS[operationId];
  const tool = useTool(operationId, [...fields, ...ownFields], handlingOf(props));
  const { work, links, isDragging, add } = tool;
  const { selected } = work;
  const finish = props.finish ?? finishLive(work);
  const taking = useDownload(operationId, { finish, zipName: `darkroom-${slug}.zip`, flawOf });
  const slots = useFrameSlots();
  const stage = useStageFocus(tool.additions, work);
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
            <SessionNotice items={work.items} unkept={work.unkept} />
            <RefusalNotice tool={TOOLS[operationId]} refused={tool.refused} onClose={tool.dismissRefused} />
          </div>
          <section
            ref={stage}
            data-stage
            className={styles.stage}
            tabIndex={-1}
            aria-label={selected ? nameOf(work.shownOf(selected).item) : 'Add files'}
          >
            {selected ? (
              (props.stage?.(selected, work) ?? (
                <Stage {...work.shownOf(selected)} slug={slug} onStop={work.live.cancel} />
              ))
            ) : (
              <EmptyStage sample={sample} takes={takes} accept={accept} links={links} onFiles={add} />
            )}
          </section>
          {selected && (
            <ContactSheet
              items={work.items}
              selectedId={selected.id}
              isAboutSize={wording.showsSizeChange}
              flawOf={(item) => flawOf(item) ?? lackIn(item, work)}
              {...{ shownOf: work.shownOf, savedBytesOf: props.savedBytesOf, verdictOf: props.verdictOf }}
              onSelect={(id) => {
                tool.select(id);
                props.onShow?.();
                // In a low window the page scrolls.
                stage.current?.scrollIntoView({ block: 'nearest' });
              }}
              isTaking={taking.progress !== null}
              onTake={(item) => taking.take([item])}
              onRetry={work.where === 'device' ? work.start : undefined}
              onRemove={tool.remove}
              add={<AddTile accept={accept} onFiles={add} />}
            />
          )}
        </div>
        <SettingsPanel
          summary={props.summary?.(selected, work) ?? summarise(fields, wording, work.values)}
          form={
            <Settings {...props} work={work}>
              {selected && (
                <AllFiles work={work} slug={slug} finish={finish} onRemove={() => tool.remove()} />
              )}
            </Settings>
          }
          foot={slots.refs.facts}
          action={
            selected ? (
              <ActionBar work={work} wording={wording} taking={taking} notice={props.notice?.(work)} />
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
    startsAtOnce: props.startsAtOnce ?? (() => false),
    isLive: props.isLive ?? false,
    keepsResults: props.keepsResults ?? false,
    gainsOnServer: props.gainsOnServer,
  };
}

interface SettingsProps extends Pick<ToolFrameProps, 'fields' | 'wording' | 'settings'> {
  readonly work: FileRuns;
  readonly children: ReactNode;
}

function Settings({ fields, wording, settings, work, children }: SettingsProps) {
  return (
    <>
      <ParamsForm
        fields={fields}
        wording={wording}
        values={work.values}
        disabled={work.isRunning}
        onChange={work.changeAndStart}
      />
      {settings?.(work.selected, work)}
      <PlaceChoice work={work} selected={work.selected} />
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
