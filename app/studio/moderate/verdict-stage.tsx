'use client';

import { type SyntheticEvent, useState } from 'react';
import { useOpenedImage } from '../files/use-viewable.ts';
import type { ShownFile } from '../runs/shown-files.ts';
import { FactsRow } from '../stage/facts-row.tsx';
import stage from '../stage/stage.module.css';
import { LaterFailure, StagePicture } from '../stage/stage-picture.tsx';
import type { Size } from '../stage/view/stage-geometry.ts';
import { StagePlane } from '../stage/view/stage-plane.tsx';
import { StageWell } from '../stage/view/stage-well.tsx';
import { Waiting } from '../stage/waiting.tsx';
import { TOOLS } from '../tools/tools.ts';
import { describeModels } from './models.ts';
import styles from './moderate.module.css';
import { severitiesOf, type Threshold } from './verdict.ts';
import { VerdictList } from './verdict-list.tsx';

const { slug: SLUG } = TOOLS['image-moderation'];

interface VerdictStageProps extends ShownFile {
  readonly threshold: Threshold;
}

/**
 * Shows the selected image, and below it the severity of each category. A verdict stays until the next one is there.
 */
export function VerdictStage({ item, renewal, threshold }: VerdictStageProps) {
  const { file, state } = item;
  const { url, progress } = useOpenedImage(file);
  const [size, setSize] = useState<Size>();
  const severities = severitiesOf(item);
  const measure = ({ currentTarget: { naturalWidth, naturalHeight } }: SyntheticEvent<HTMLImageElement>) =>
    setSize({ width: naturalWidth, height: naturalHeight });
  return (
    <div className={styles.stage}>
      <StagePicture item={item} slug={SLUG} renewal={renewal}>
        <StageWell image={size} phase={state.phase} isTransparent={false}>
          {url ? (
            <StagePlane>
              <img src={url} alt={file.name} draggable={false} onLoad={measure} />
            </StagePlane>
          ) : url === null ? (
            <p className={stage.pending}>{file.name} can't be shown here.</p>
          ) : (
            <Waiting words={`Opening ${file.name}`} progress={progress} image={file} />
          )}
        </StageWell>
      </StagePicture>
      {severities && <VerdictList name={file.name} severities={severities} threshold={threshold} />}
      {!renewal && <LaterFailure item={item} />}
      <FactsRow item={item} extra={describeModels(item)} saved={null} />
    </div>
  );
}
