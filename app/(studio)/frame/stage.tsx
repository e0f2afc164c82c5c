'use client';

import { type SyntheticEvent, useState } from 'react';
import type { BatchItem } from '../batch/batch.ts';
import { resultsOf } from '../batch/results.ts';
import { CompareSlider } from './compare-slider.tsx';
import { FactsRow } from './facts-row.tsx';
import { OpenInTool } from './open-in-tool.tsx';
import styles from './stage.module.css';
import { StageFailure } from './stage-failure.tsx';
import type { Size } from './stage-geometry.ts';
import { StagePlane } from './stage-plane.tsx';
import { hasTransparency } from './stage-transparency.ts';
import { StageWell } from './stage-well.tsx';
import { useViewable, type Viewable } from './use-viewable.ts';
import { ViewSwitch } from './view-switch.tsx';

interface StageProps {
  readonly item: BatchItem;
  /** Tool that this stage belongs to. */
  readonly slug: string;
}

const VIEWS = { result: 'Result', compare: 'Compare', original: 'Original' } as const;

/** Shows the selected image as large as possible: before, during and after the run. */
export function Stage({ item, slug }: StageProps) {
  const { file, state } = item;
  const before = useViewable(file);
  const [result] = resultsOf(item);
  const after = useViewable(result?.file.blob);
  const [view, setView] = useState<keyof typeof VIEWS>('compare');
  const isAlone = before && after && view !== 'compare';
  const alone = isAlone && view === 'result' ? after : before;
  const [shown, setShown] = useState<{ file: File; image: Size; isTransparent: boolean }>();
  const known = shown?.file === file ? shown : undefined;
  // The first image to load: the original wherever it can be shown. Both sides share its box.
  const measure = ({ target }: SyntheticEvent) => {
    if (known || !(target instanceof HTMLImageElement)) return;
    const image = { width: target.naturalWidth, height: target.naturalHeight };
    setShown({ file, image, isTransparent: hasTransparency(target) });
  };
  return (
    <div className={styles.stage}>
      <div className={styles.picture} data-phase={state.phase} onLoad={measure}>
        <StageWell
          key={item.id}
          image={known?.image}
          phase={state.phase}
          isTransparent={known?.isTransparent === true}
        >
          {before && after && !isAlone ? (
            <CompareSlider key={after} before={before} after={after} name={file.name} />
          ) : (
            <Single
              url={alone ?? after}
              name={isAlone ? `${file.name}, ${view}` : file.name}
              isFailed={state.phase === 'failed'}
            />
          )}
        </StageWell>
        <StageFailure state={state} />
      </div>
      <FactsRow item={item}>{result && <OpenInTool slug={slug} result={result} />}</FactsRow>
      {before && after && <ViewSwitch views={VIEWS} view={view} onView={setView} />}
    </div>
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
  return (
    <StagePlane>
      <img src={url} alt={name} draggable={false} onError={() => setBrokenUrl(url)} />
    </StagePlane>
  );
}
