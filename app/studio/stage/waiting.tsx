'use client';

import type { Progress } from '../../../models/core/runtime/progress.ts';
import { formatSeconds } from '../../text/quantities.ts';
import { ProgressLine } from '../../ui/progress-line.tsx';
import { useObjectUrl } from '../../ui/use-object-url.ts';
import { useSecondsSpent } from '../../ui/use-seconds-spent.ts';
import { useQuickPreview } from '../files/use-quick-preview.ts';
import { describeProgress, shownShare } from '../runs/describe-progress.ts';
import styles from './waiting.module.css';

interface WaitingProps {
  /** Name of what goes on: `Reading song.mp3`. */
  readonly words: string;
  /** Progress of the wait; absent where it is unknown. */
  readonly progress?: Progress | undefined;
  /** Image that is being opened: what can be had of it at once is shown first. */
  readonly image?: Blob | undefined;
}

/** Says what the stage waits for, how far that is, and for how long it has lasted. */
export function Waiting({ words, progress, image }: WaitingProps) {
  const preview = useObjectUrl(useQuickPreview(image));
  const seconds = useSecondsSpent();
  const facts = [
    ...(progress ? [describeProgress(progress)] : []),
    ...(seconds > 0 ? [formatSeconds(seconds)] : []),
  ];
  const wait = (
    <div className={styles.waiting}>
      <p>{words}…</p>
      {progress && <ProgressLine fraction={shownShare(progress)} label={words} />}
      <p className="facts" aria-hidden>
        {facts.join(' · ')}
      </p>
    </div>
  );
  if (!image) return wait;
  // The words stand below from the beginning: nothing jumps when the small copy comes.
  return (
    <div className={styles.preview}>
      {preview !== undefined && <img src={preview} alt={`${words}, small`} draggable={false} />}
      {wait}
    </div>
  );
}
