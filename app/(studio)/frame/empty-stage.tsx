'use client';

import { ChooseFiles } from '../files/choose-files.tsx';
import { type MediaKind, nounsOf } from '../files/media-kind.ts';
import { SampleButton } from '../files/sample-button.tsx';
import type { Sample } from '../files/samples.ts';
import { LinkField } from '../links/link-field.tsx';
import type { Links } from '../links/use-links.ts';
import styles from './empty-stage.module.css';

interface EmptyStageProps {
  readonly takes: readonly MediaKind[];
  readonly accept: string;
  readonly sample: Sample;
  readonly links: Links;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Shown before the tool has any file. */
export function EmptyStage({ takes, accept, sample, links, onFiles }: EmptyStageProps) {
  return (
    <div className={styles.empty}>
      <ChooseFiles label={`Choose ${nounsOf(takes)}`} accept={accept} onFiles={onFiles} />
      <p>or drop or paste them anywhere. They stay on this device.</p>
      <LinkField links={links} />
      <SampleButton sample={sample} className={styles.sample} onFiles={onFiles}>
        <img src={sample.preview.url} width={96} height={64} alt="" />
        <span>Try it with a sample</span>
      </SampleButton>
    </div>
  );
}
