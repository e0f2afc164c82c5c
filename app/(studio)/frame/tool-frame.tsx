'use client';

import type { OperationId } from '../../../models/registry.ts';
import { ChooseFiles } from '../choose-files.tsx';
import { TOOLS } from '../tools.ts';
import { ContactSheet } from './contact-sheet.tsx';
import { EmptyStage } from './empty-stage.tsx';
import type { Field } from './fields.ts';
import { ParamsForm } from './params-form.tsx';
import { PlaceChoice } from './place-choice.tsx';
import { SettingsPanel } from './settings-panel.tsx';
import { Stage } from './stage.tsx';
import styles from './tool-frame.module.css';
import { useTool } from './use-tool.ts';
import { summarise, type Wording } from './wording.ts';
import { WorkBar } from './work-bar.tsx';

interface ToolFrameProps {
  readonly operationId: OperationId;
  readonly fields: readonly Field[];
  readonly wording: Wording;
}

/** The page of any tool: the work in the middle, its settings beside it, all files below. */
export function ToolFrame({ operationId, fields, wording }: ToolFrameProps) {
  const { slug, takes, extensions } = TOOLS[operationId];
  const { work, selected, refused, isDragging, select, add } = useTool(operationId, fields);
  const { batch, values, isRunning, where } = work;
  const accept = [`${takes}/*`, ...extensions].join(',');
  return (
    <div className={styles.tool} data-dragging={isDragging}>
      <header className={styles.title}>
        <h1>{wording.title}</h1>
        <p>{wording.lead}</p>
      </header>
      <div className={styles.work}>
        {selected ? (
          <Stage item={selected} slug={slug} />
        ) : (
          <EmptyStage wording={wording} accept={accept} onFiles={add} />
        )}
        {refused.length > 0 && (
          <p className={styles.refused} role="alert">
            Left out, as no {wording.noun}: {refused.join(', ')}
          </p>
        )}
      </div>
      <SettingsPanel
        summary={summarise(fields, wording, values)}
        form={
          <>
            <ParamsForm
              fields={fields}
              wording={wording}
              values={values}
              disabled={isRunning}
              onChange={work.change}
            />
            <PlaceChoice where={where} disabled={isRunning} onChange={work.choosePlace} />
          </>
        }
      >
        <WorkBar work={work} wording={wording} zipName={`darkroom-${slug}.zip`} />
      </SettingsPanel>
      {selected && (
        <section className={styles.files} aria-label="All files">
          <ContactSheet
            items={work.items}
            selectedId={selected.id}
            onSelect={select}
            onRetry={where === 'device' ? work.start : undefined}
            onRemove={(id) => batch.remove(id)}
          />
          <ChooseFiles className="button" label="Add more" accept={accept} onFiles={add} />
        </section>
      )}
    </div>
  );
}
