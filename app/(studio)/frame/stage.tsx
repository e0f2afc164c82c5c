'use client';

import { useState } from 'react';
import type { BatchItem } from '../batch/batch.ts';
import { resultsOf } from '../batch/results.ts';
import { CompareSlider } from './compare-slider.tsx';
import { FactChips } from './fact-chips.tsx';
import { OpenInTool } from './open-in-tool.tsx';
import styles from './stage.module.css';
import { StageFailure } from './stage-failure.tsx';
import { useViewable, type Viewable } from './use-viewable.ts';

interface StageProps {
  readonly item: BatchItem;
  /** Tool that this stage belongs to. */
  readonly slug: string;
}

/** Shows the selected image as large as possible: before, during and after the run. */
export function Stage({ item, slug }: StageProps) {
  const { file, state } = item;
  const before = useViewable(file);
  const [result] = resultsOf(item);
  const after = useViewable(result?.file.blob);
  return (
    <section className={styles.stage} aria-label={file.name}>
      <div className={styles.picture} data-phase={state.phase}>
        {before && after ? (
          <CompareSlider key={after} before={before} after={after} name={file.name} />
        ) : (
          <Single url={before ?? after} name={file.name} isFailed={state.phase === 'failed'} />
        )}
        <StageFailure state={state} />
      </div>
      <div className={styles.facts}>
        <FactChips item={item} />
        {result && <OpenInTool slug={slug} result={result} />}
      </div>
    </section>
  );
}

interface SingleProps {
  readonly url: Viewable;
  readonly name: string;
  /** Whether the image cannot be shown; the stage then gives the reason instead. */
  readonly isFailed: boolean;
}

function Single({ url, name, isFailed }: SingleProps) {
  const [brokenUrl, setBrokenUrl] = useState<string>();
  if (url === undefined) return <p className={styles.pending}>Opening {name}…</p>;
  if (url === null || url === brokenUrl) {
    return isFailed ? null : <p className={styles.pending}>{name} can't be shown here.</p>;
  }
  return <img src={url} alt={name} className={styles.single} onError={() => setBrokenUrl(url)} />;
}
