'use client';

import { ChooseFiles } from '../choose-files.tsx';
import { LinkField } from '../link-field.tsx';
import { type MediaKind, nounsOf } from '../media-kind.ts';
import { fetchSample, type Sample } from '../samples.ts';
import type { Links } from '../use-links.ts';
import styles from './empty-stage.module.css';

interface EmptyStageProps {
  readonly takes: readonly MediaKind[];
  readonly accept: string;
  readonly sample: Sample;
  readonly links: Links;
  readonly onFiles: (files: readonly File[]) => void;
}

/** What a tool shows before there is anything to work on. */
export function EmptyStage({ takes, accept, sample, links, onFiles }: EmptyStageProps) {
  return (
    <div className={styles.empty}>
      <ChooseFiles label={`Choose ${nounsOf(takes)}`} accept={accept} onFiles={onFiles} />
      <p>or drop them anywhere, or paste. They stay on this device.</p>
      <LinkField links={links} />
      <button
        type="button"
        className={styles.sample}
        onClick={async () => onFiles([await fetchSample(sample)])}
      >
        <img src={sample.preview.url} width={96} height={64} alt="" />
        <span>Try it with a sample</span>
      </button>
    </div>
  );
}
