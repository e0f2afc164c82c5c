'use client';

import type { Progress } from '../../../models/core/runtime/progress.ts';
import { useObjectUrl, useSecondsSpent } from '../../ui/hooks.ts';
import { ProgressLine } from '../../ui/progress-line.tsx';
import { formatSeconds } from '../../ui/quantities.ts';
import { useQuickPreview } from '../files/use-quick-preview.ts';
import { describeProgress, shownShare } from '../runs/describe-run.ts';
import stage from './stage.module.css';
import styles from './waiting.module.css';

interface ReadingProps {
  /** Name of the file. */
  readonly name: string;
  /** Reason why nothing can be shown; undefined while the file is read. */
  readonly failure: string | undefined;
  readonly progress: Progress | undefined;
}

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

/** Shows that a file is being read, or why it cannot be. */
export function Reading({ name, failure, progress }: ReadingProps) {
  if (failure !== undefined) return <p className={stage.pending}>{failure}</p>;
  return <Waiting words={`Reading ${name}`} progress={progress} />;
}
