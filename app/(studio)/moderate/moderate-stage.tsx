'use client';

import { useRunActions, useRunFiles, useShownFile } from '../runs/runs-context.ts';
import { ViewSwitch } from '../stage/view-switch.tsx';
import type { Threshold } from './verdict.ts';
import { VerdictStage } from './verdict-stage.tsx';
import { VerdictTable } from './verdict-table.tsx';

interface SafetyStageProps {
  readonly threshold: Threshold;
  readonly view: SafetyView;
  readonly onView: (view: SafetyView) => void;
}

export type SafetyView = 'table' | 'image';

const VIEWS: Readonly<Record<SafetyView, string>> = { table: 'Table', image: 'Image' };

/** Shows the verdicts on all images in a table, or the selected image with its own. A single image needs no table. */
export function SafetyStage({ threshold, view, onView }: SafetyStageProps) {
  const { items, shownOf } = useRunFiles();
  const shown = useShownFile();
  const { select } = useRunActions();
  if (!shown) return null;
  const isOne = items.length < 2;
  return (
    <>
      {isOne || view === 'image' ? (
        <VerdictStage key={shown.item.id} {...shown} threshold={threshold} />
      ) : (
        <VerdictTable
          items={items}
          selectedId={shown.item.id}
          threshold={threshold}
          shownOf={shownOf}
          onOpen={(id) => {
            select(id);
            onView('image');
          }}
        />
      )}
      {!isOne && <ViewSwitch views={VIEWS} view={view} onView={onView} />}
    </>
  );
}
