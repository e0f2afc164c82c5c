'use client';

import { type DOMAttributes, lazy, Suspense } from 'react';
import { SampleButton } from '../add-files/sample-button.tsx';
import { ChooseFiles, TakePhoto } from '../files/choose-files.tsx';
import { getNouns, type MediaKind } from '../files/media-kind.ts';
import type { Sample } from '../files/samples.ts';
import styles from './empty-stage.module.css';

// Only the tools for sound record.
const Recording = lazy(async () => ({ default: (await import('../add-files/recording.tsx')).Recording }));

interface EmptyStageProps {
  readonly takes: readonly MediaKind[];
  readonly accept: string;
  readonly sample: Sample;
  readonly onFiles: (files: readonly File[]) => void;
  /** Handlers of a visitor who reaches for a file. */
  readonly approach: Pick<DOMAttributes<HTMLElement>, 'onPointerEnter' | 'onFocus'>;
}

/** Shows the stage as a drop zone, before the tool has any file. */
export function EmptyStage({ takes, accept, sample, onFiles, approach }: EmptyStageProps) {
  const nouns = getNouns(takes);
  return (
    <div className={styles.empty} {...approach}>
      <p className={`${styles.drop} for-mouse`}>Drop or paste {nouns}</p>
      <p className={`${styles.drop} for-touch`}>Add {nouns}</p>
      <p>They stay on this device.</p>
      <ChooseFiles label={`Choose ${nouns}`} accept={accept} onFiles={onFiles} />
      {takes.includes('image') && <TakePhoto onFiles={onFiles} />}
      {takes.includes('audio') && (
        <Suspense>
          <Recording onFiles={onFiles} />
        </Suspense>
      )}
      <div className={styles.others}>
        <SampleButton sample={sample} className={styles.sample} onFiles={onFiles}>
          <img src={sample.preview.url} width={72} height={48} alt="" />
          <span>Try it with a sample</span>
        </SampleButton>
      </div>
    </div>
  );
}
