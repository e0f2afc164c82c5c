'use client';

import { type SyntheticEvent, useState } from 'react';
import type { BatchItem } from '../batch/batch.ts';
import { FactsRow } from '../frame/facts-row.tsx';
import stage from '../frame/stage.module.css';
import { StageFailure } from '../frame/stage-failure.tsx';
import type { Size } from '../frame/stage-geometry.ts';
import { StagePlane } from '../frame/stage-plane.tsx';
import { StageWell } from '../frame/stage-well.tsx';
import { useViewable } from '../frame/use-viewable.ts';
import { modelFacts } from './models.ts';
import styles from './safety.module.css';
import { severitiesOf, type Threshold } from './verdict.ts';
import { VerdictList } from './verdict-list.tsx';

interface VerdictStageProps {
  readonly item: BatchItem;
  readonly threshold: Threshold;
}

/** Shows the selected image, and below it the severity of each category. */
export function VerdictStage({ item, threshold }: VerdictStageProps) {
  const { file, state } = item;
  const url = useViewable(file);
  const [size, setSize] = useState<Size>();
  const severities = severitiesOf(item);
  const measure = ({ currentTarget: { naturalWidth, naturalHeight } }: SyntheticEvent<HTMLImageElement>) =>
    setSize({ width: naturalWidth, height: naturalHeight });
  return (
    <div className={styles.stage}>
      <div className={stage.picture} data-phase={state.phase}>
        <StageWell image={size} phase={state.phase} isTransparent={false}>
          {url ? (
            <StagePlane>
              <img src={url} alt={file.name} draggable={false} onLoad={measure} />
            </StagePlane>
          ) : (
            <p className={stage.pending}>
              {url === null ? `${file.name} can't be shown here.` : `Opening ${file.name}…`}
            </p>
          )}
        </StageWell>
        <StageFailure state={state} />
      </div>
      {severities && <VerdictList name={file.name} severities={severities} threshold={threshold} />}
      <FactsRow item={item} extra={modelFacts(item)} saved={null} />
    </div>
  );
}
