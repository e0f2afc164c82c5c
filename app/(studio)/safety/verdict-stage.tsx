'use client';

import { type SyntheticEvent, useState } from 'react';
import { useViewable } from '../files/use-viewable.ts';
import type { ShownFile } from '../runs/shown-files.ts';
import { FactsRow } from '../stage/facts-row.tsx';
import { RenewalNote } from '../stage/renewal-note.tsx';
import stage from '../stage/stage.module.css';
import { StageFailure } from '../stage/stage-failure.tsx';
import type { Size } from '../stage/view/stage-geometry.ts';
import { StagePlane } from '../stage/view/stage-plane.tsx';
import { StageWell } from '../stage/view/stage-well.tsx';
import { TOOLS } from '../tools/tools.ts';
import { describeModels } from './models.ts';
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
      <FactsRow item={item} extra={describeModels(item)} saved={null} />
    </div>
  );
}
