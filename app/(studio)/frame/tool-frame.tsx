'use client';

import type { ReactNode } from 'react';
import type { OperationId } from '../../../models/registry.ts';
import type { BatchItem } from '../batch/batch.ts';
import { ChooseFiles } from '../files/choose-files.tsx';
import { LinkNotice } from '../links/link-notice.tsx';
import { SessionNotice } from '../session/session-notice.tsx';
import { TOOLS } from '../tools/tools.ts';
import { UndoNotice } from '../undo/undo-notice.tsx';
import { ActionBar } from './action-bar.tsx';
import { ContactSheet } from './contact-sheet.tsx';
import { EmptyStage } from './empty-stage.tsx';
import type { Field } from './fields.ts';
import { OpenAllInTool } from './open-in-tool.tsx';
import { ParamsForm } from './params-form.tsx';
import { PlaceChoice } from './place-choice.tsx';
import { SettingsPanel } from './settings-panel.tsx';
import { Stage } from './stage.tsx';
import styles from './tool-frame.module.css';
import { type Finish, unchanged, useDownload } from './use-download.ts';
import type { FileHandling, FileRuns } from './use-file-runs.ts';
import { useTool } from './use-tool.ts';
import { summarise, type Wording } from './wording.ts';

interface ToolFrameProps extends Partial<FileHandling> {
  readonly operationId: OperationId;
  readonly fields: readonly Field[];
  readonly wording: Wording;
  /** Replaces the default view of the selected file. */
  readonly stage?: (item: BatchItem, work: FileRuns) => ReactNode;
  /** Settings in a few words, where the operation's own params do not describe them. */
  readonly summary?: (selected: BatchItem | undefined) => string;
  /** Settings beside the operation's own params. */
  readonly settings?: (selected: BatchItem | undefined, work: FileRuns) => ReactNode;
  readonly finish?: Finish;
}

/** Page of any tool: the stage in the middle, its settings beside it, all files below. */
export function ToolFrame({
  operationId,
  fields,
  wording,
  stage,
  summary,
  settings,
  finish = unchanged,
  paramsFor = (_file, values) => values,
  startsAtOnce = () => false,
}: ToolFrameProps) {
  const { slug, name, takes, extensions, sample } = TOOLS[operationId];
  const tool = useTool(operationId, fields, { paramsFor, startsAtOnce });
  const { work, selected, refused, links, isDragging, undo, select, add, remove } = tool;
  const taking = useDownload(finish, `darkroom-${slug}.zip`);
  const { values, isRunning, where } = work;
  const accept = [...takes.map((kind) => `${kind}/*`), ...extensions].join(',');
  return (
    <div className={styles.tool} data-dragging={isDragging}>
      <header className={styles.title}>
        <h1>{name}</h1>
        <p>{wording.lead}</p>
      </header>
      <div className={styles.work}>
        {selected ? (
          (stage?.(selected, work) ?? <Stage item={selected} slug={slug} />)
        ) : (
          <EmptyStage sample={sample} takes={takes} accept={accept} links={links} onFiles={add} />
        )}
        <LinkNotice links={links} />
        <SessionNotice items={work.items} unkept={work.unkept} />
        {refused.length > 0 && (
          <p className={styles.refused} role="alert">
            Skipped (unsupported format): {refused.join(', ')}
          </p>
        )}
      </div>
      <SettingsPanel
        summary={summary?.(selected) ?? summarise(fields, wording, values)}
        form={
          <>
            <ParamsForm
              fields={fields}
              wording={wording}
              values={values}
              disabled={isRunning}
              onChange={work.changeAndStart}
            />
            {settings?.(selected, work)}
            <PlaceChoice where={where} disabled={isRunning} onChange={work.choosePlace} />
          </>
        }
      >
        <ActionBar work={work} wording={wording} taking={taking} />
      </SettingsPanel>
      {selected && (
        <section className={styles.files} aria-label="All files">
          <ContactSheet
            items={work.items}
            selectedId={selected.id}
            isAboutSize={wording.showsSizeChange}
            onSelect={select}
            isTaking={taking.progress !== null}
            onTake={(item) => taking.take([item])}
            onRetry={where === 'device' ? work.start : undefined}
            onRemove={remove}
          />
          <div className={styles.ways}>
            <ChooseFiles className="button" label="Add more" accept={accept} onFiles={add} />
            <OpenAllInTool items={work.items} slug={slug} finish={finish} />
            <button
              type="button"
              className="button button-quiet"
              disabled={isRunning}
              onClick={() => remove()}
            >
              Remove all
            </button>
          </div>
        </section>
      )}
      <UndoNotice undo={undo} />
    </div>
  );
}
