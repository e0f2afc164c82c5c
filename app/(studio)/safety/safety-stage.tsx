'use client';

import type { BatchItem } from '../batch/batch.ts';
import type { FileRuns } from '../frame/use-file-runs.ts';
import { ViewSwitch } from '../frame/view-switch.tsx';
import type { Threshold } from './verdict.ts';
import { VerdictStage } from './verdict-stage.tsx';
import { VerdictTable } from './verdict-table.tsx';

interface SafetyStageProps {
  readonly selected: BatchItem;
  readonly work: FileRuns;
  readonly threshold: Threshold;
  readonly view: SafetyView;
  readonly onView: (view: SafetyView) => void;
  readonly onSelect: (id: number) => void;
}

export type SafetyView = 'table' | 'image';

const VIEWS: Readonly<Record<SafetyView, string>> = { table: 'Table', image: 'Image' };

/** Shows the verdicts on all images in a table, or the selected image with its own. A single image needs no table. */
export function SafetyStage({ selected, work, threshold, view, onView, onSelect }: SafetyStageProps) {
  const isOne = work.items.length < 2;
  return (
    <>
      {isOne || view === 'image' ? (
        <VerdictStage key={selected.id} {...work.shownOf(selected)} threshold={threshold} />
      ) : (
        <VerdictTable
          items={work.items}
          selectedId={selected.id}
          threshold={threshold}
          shownOf={work.shownOf}
          onOpen={(id) => {
            onSelect(id);
            onView('image');
          }}
        />
      )}
      {!isOne && <ViewSwitch views={VIEWS} view={view} onView={onView} />}
    </>
  );
}
