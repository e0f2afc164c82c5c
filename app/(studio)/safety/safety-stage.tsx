'use client';

import type { BatchItem } from '../batch/batch.ts';
import type { FileRuns } from '../runs/use-file-runs.ts';
import { ViewSwitch } from '../stage/view-switch.tsx';
import type { Threshold } from './verdict.ts';
import { VerdictStage } from './verdict-stage.tsx';
import { VerdictTable } from './verdict-table.tsx';

interface SafetyStageProps {
  readonly selected: BatchItem;
  readonly runs: FileRuns;
  readonly threshold: Threshold;
  readonly view: SafetyView;
  readonly onView: (view: SafetyView) => void;
  readonly onSelect: (id: number) => void;
}

export type SafetyView = 'table' | 'image';

const VIEWS: Readonly<Record<SafetyView, string>> = { table: 'Table', image: 'Image' };

/** Shows the verdicts on all images in a table, or the selected image with its own. A single image needs no table. */
export function SafetyStage({ selected, runs, threshold, view, onView, onSelect }: SafetyStageProps) {
  const isOne = runs.items.length < 2;
  return (
    <>
      {isOne || view === 'image' ? (
        <VerdictStage key={selected.id} {...runs.shownOf(selected)} threshold={threshold} />
      ) : (
        <VerdictTable
          items={runs.items}
          selectedId={selected.id}
          threshold={threshold}
          shownOf={runs.shownOf}
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
