'use client';

import { type SyntheticEvent, useState } from 'react';
import type { ImageSize } from '../../../models/core/runtime/raster.ts';
import { useOpenedImage } from '../files/use-viewable.ts';
import type { ShownFile } from '../runs/shown-files.ts';
import { FactsRow } from '../stage/facts.tsx';
import stage from '../stage/stage.module.css';
import { LaterFailure, StagePicture } from '../stage/stage-picture.tsx';
import { StagePlane } from '../stage/stage-plane.tsx';
import { StageWell } from '../stage/stage-well.tsx';
import { Waiting } from '../stage/waiting.tsx';
import { TOOLS } from '../tools/tools.ts';
import { describeModels } from './models.ts';
import styles from './moderate.module.css';
import {
  CATEGORY_NAMES,
  describeChecked,
  describeUnchecked,
  describeVerdict,
  getSeverities,
  isFlagged,
  isPartial,
  listColumns,
  type Severities,
  type Threshold,
} from './verdict.ts';
import { SeveritySteps } from './verdict-table.tsx';

interface VerdictListProps extends Pick<ShownFile, 'item'> {
  readonly severities: Severities;
  readonly threshold: Threshold;
}

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
  const [size, setSize] = useState<ImageSize>();
  const severities = getSeverities(item);
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
      {severities && <VerdictList item={item} severities={severities} threshold={threshold} />}
      {!renewal && <LaterFailure item={item} />}
      <FactsRow item={item} about={describeModels(item)} saved={null} />
    </div>
  );
}

/** Shows the verdict. Unless its words say it all, the severity of each category follows, next to three steps. */
function VerdictList({ item, severities, threshold }: VerdictListProps) {
  const isIncomplete = isPartial(severities, threshold);
  return (
    <section className={styles.verdict} aria-label={`Verdict on ${item.file.name}`}>
      <div>
        <p role="status" className={styles.words} data-flagged={isFlagged(severities, threshold)}>
          {isIncomplete ? describeChecked(severities) : describeVerdict(severities, threshold)}
        </p>
        {isIncomplete && <p className="note">{describeUnchecked(severities)}</p>}
      </div>
      {!isIncomplete && (
        <dl>
          {listColumns([item], []).map((category) => {
            const severity = severities.get(category);
            return (
              <div key={category} data-flagged={severity !== undefined && severity >= threshold}>
                <dt>{CATEGORY_NAMES[category]}</dt>
                <dd>
                  <SeveritySteps severity={severity} threshold={threshold} />
                </dd>
              </div>
            );
          })}
        </dl>
      )}
    </section>
  );
}
