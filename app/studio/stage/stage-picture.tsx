'use client';

import type { ComponentProps } from 'react';
import type { Progress } from '../../../models/core/runtime/progress.ts';
import type { BatchItem } from '../runs/batch.ts';
import { RenewalNote } from './renewal-note.tsx';
import styles from './stage.module.css';
import { StageFailure } from './stage-failure.tsx';

interface StagePictureProps extends ComponentProps<'div'> {
  readonly item: BatchItem;
  /** Tool that this stage belongs to. */
  readonly slug: string;
  /** Progress of a run that makes a new result, where the stage shows it. */
  readonly renewal?: Progress | undefined;
  /** Whether that result is the first one that the stage can show. */
  readonly isFirst?: boolean;
  /** Stops that run, where it can be stopped alone. */
  readonly onStop?: (() => void) | undefined;
}

/** Area of a stage that shows the file, with why its run failed or how far the next one is. */
export function StagePicture(props: StagePictureProps) {
  const { item, slug, renewal, isFirst = false, onStop, className = '', children, ...element } = props;
  return (
    <div className={`${styles.picture} ${className}`.trim()} data-phase={item.state.phase} {...element}>
      {children}
      <StageFailure item={item} slug={slug} />
      {renewal && <RenewalNote progress={renewal} isFirst={isFirst} onStop={onStop} />}
    </div>
  );
}

/** Says why a later run failed, while the earlier result stays. */
export function LaterFailure({ item: { state } }: { readonly item: BatchItem }) {
  if (state.phase !== 'done' || !state.rerunError) return null;
  return (
    <p role="alert" className={styles.later}>
      {state.rerunError}
    </p>
  );
}
