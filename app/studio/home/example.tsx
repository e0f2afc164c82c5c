import type { Preview, Sample } from '../files/samples.ts';
import { SplitView } from '../stage/compare-slider.tsx';
import styles from './example.module.css';

interface ExampleProps {
  readonly sample: Sample;
  /** Whether the page opens with it: its images are then loaded at once. */
  readonly isFirst?: boolean;
}

/**
 * Before and after, made by the product itself (lab/assets/samples.ts), divided by a line that the visitor moves.
 */
export function Example({ sample, isFirst = false }: ExampleProps) {
  const { preview, resultPreview, alt, mediaType } = sample;
  const isSound = mediaType.startsWith('audio/');
  // Waveforms take a few kilobytes: they are there before anybody scrolls to them.
  const order = isFirst || isSound ? {} : ({ loading: 'lazy' } as const);
  return (
    <div className={styles.example} data-sound={isSound}>
      <SplitView
        before={<img {...order} {...sized(preview)} alt={`${alt}, original`} />}
        after={<img {...order} {...sized(resultPreview)} alt={`${alt}, result`} />}
      />
    </div>
  );
}

/** The sample alone, for a tool whose result is a verdict in words. */
export function VerdictExample({ sample: { preview, alt } }: Pick<ExampleProps, 'sample'>) {
  return (
    <div className={styles.example}>
      <img loading="lazy" {...sized(preview)} alt={alt} />
    </div>
  );
}

function sized({ url, width, height }: Preview) {
  return { src: url, width, height };
}
