'use client';

import { type SyntheticEvent, useState } from 'react';
import { FactsRow } from '../frame/facts-row.tsx';
import type { ShownFile } from '../frame/live-files.ts';
import { RenewalNote } from '../frame/renewal-note.tsx';
import stage from '../frame/stage.module.css';
import { StageFailure } from '../frame/stage-failure.tsx';
import type { Size } from '../frame/stage-geometry.ts';
import { StagePlane } from '../frame/stage-plane.tsx';
import { StageWell } from '../frame/stage-well.tsx';
import { useViewable } from '../frame/use-viewable.ts';
import { TOOLS } from '../tools/tools.ts';
import { modelFacts } from './models.ts';
import styles from './safety.module.css';
import { severitiesOf, type Threshold } from './verdict.ts';
import { VerdictList } from './verdict-list.tsx';

const { slug: SLUG } = TOOLS['image-moderation'];

interface VerdictStageProps extends ShownFile {
  readonly threshold: Threshold;
}

/** Shows the selected image, and below it the severity of each category. A verdict stays until the next one is there. */
export function VerdictStage({ item, renewal, threshold }: VerdictStageProps) {
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
        <StageFailure item={item} slug={SLUG} />
        {renewal && <RenewalNote progress={renewal} isFirst={false} onStop={undefined} />}
      </div>
      {severities && <VerdictList name={file.name} severities={severities} threshold={threshold} />}
      {!renewal && state.phase === 'done' && state.laterFailure && (
        <p role="alert" className={stage.later}>
          {state.laterFailure}
        </p>
      )}
      <FactsRow item={item} extra={modelFacts(item)} saved={null} />
    </div>
  );
}
