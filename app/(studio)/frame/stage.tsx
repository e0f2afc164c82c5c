'use client';

import { useState } from 'react';
import type { BatchItem } from './batch.ts';
import { CompareSlider } from './compare-slider.tsx';
import { FactChips } from './fact-chips.tsx';
import { resultsOf } from './results.ts';
import styles from './stage.module.css';
import { StageFailure } from './stage-failure.tsx';
import { UseIn } from './use-in.tsx';
import { useViewable, type Viewable } from './use-viewable.ts';

interface StageProps {
  readonly item: BatchItem;
  /** The tool this is the stage of. */
  readonly slug: string;
}

/** The picture being worked on, as large as there is room for: before, while and after. */
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
        {result && <UseIn slug={slug} result={result} />}
      </div>
    </section>
  );
}

interface SingleProps {
  readonly url: Viewable;
  readonly name: string;
  /** Then the reason is told in the picture's place. */
  readonly isFailed: boolean;
}

function Single({ url, name, isFailed }: SingleProps) {
  const [brokenUrl, setBrokenUrl] = useState<string>();
  if (url === undefined) return <p className={styles.pending}>Opening {name}…</p>;
  if (url === null || url === brokenUrl) {
    return isFailed ? null : <p className={styles.pending}>{name} cannot be shown here.</p>;
  }
  return <img src={url} alt={name} className={styles.single} onError={() => setBrokenUrl(url)} />;
}
