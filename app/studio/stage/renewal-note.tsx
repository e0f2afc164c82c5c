import type { Progress } from '../../../models/core/runtime/progress.ts';
import { ProgressLine } from '../../ui/progress-line.tsx';
import { describeProgress } from '../runs/describe-progress.ts';
import { focusStage } from './focus-stage.ts';
import styles from './renewal-note.module.css';

interface RenewalNoteProps {
  readonly progress: Progress;
  /** Whether there is no earlier result, which would be shown until then. */
  readonly isFirst: boolean;
  /** Absent where the action bar stops it, with the run of other files. */
  readonly onStop: (() => void) | undefined;
}

/** Says over the stage that a new result is being made, with a way to stop. It takes no room from the image. */
export function RenewalNote({ progress, isFirst, onStop }: RenewalNoteProps) {
  const stop = () => {
    focusStage();
    onStop?.();
  };
  const words = describeProgress(progress);
  return (
    <>
      <p className={styles.note}>
        <span>
          {isFirst ? 'Converting' : 'Updating'} · {words}
        </span>
        {onStop && (
          <button type="button" onClick={stop}>
            Stop
          </button>
        )}
      </p>
      <div className={styles.line}>
        <ProgressLine fraction={progress.fraction} label="Progress of the new result" words={words} />
      </div>
    </>
  );
}
