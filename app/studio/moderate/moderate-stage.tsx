'use client';

import { useRunActions, useRunFiles, useShownFile } from '../runs/runs-context.ts';
import { ViewSwitch } from '../stage/view-switch.tsx';
import type { Threshold } from './verdict.ts';
import { VerdictStage } from './verdict-stage.tsx';
import { VerdictTable } from './verdict-table.tsx';

interface ModerateStageProps {
  readonly threshold: Threshold;
  readonly view: ModerateView;
  readonly onView: (view: ModerateView) => void;
}

export type ModerateView = 'table' | 'image';

const VIEWS: Readonly<Record<ModerateView, string>> = { table: 'Table', image: 'Image' };

/** Shows the verdicts on all images in a table, or the selected image with its own. A single image needs no table. */
export function ModerateStage({ threshold, view, onView }: ModerateStageProps) {
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
