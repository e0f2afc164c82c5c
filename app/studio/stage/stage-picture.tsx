'use client';

import { TriangleAlert } from 'lucide-react';
import type { ComponentProps } from 'react';
import type { Progress } from '../../../models/core/runtime/progress.ts';
import { ProgressLine } from '../../ui/progress-line.tsx';
import { OpenBeyondLimit } from '../add-files/refusal-notice.tsx';
import type { BatchItem } from '../runs/batch.ts';
import { describeProgress } from '../runs/describe-run.ts';
import { TOOL_LIST } from '../tools/tools.ts';
import styles from './stage.module.css';
import { focusStage } from './use-stage-focus.ts';

interface StageFailureProps {
  readonly item: BatchItem;
  /** Tool that this stage belongs to. */
  readonly slug: string;
}

interface RenewalNoteProps {
  readonly progress: Progress;
  /** Whether there is no earlier result, which would be shown until then. */
  readonly isFirst: boolean;
  /** Absent where the action bar stops it, with the run of other files. */
  readonly onStop: (() => void) | undefined;
}

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

/** Says over the stage that a new result is being made, with a way to stop. It takes no room from the image. */
function RenewalNote({ progress, isFirst, onStop }: RenewalNoteProps) {
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

/**
 * Says in place of the image why a run failed, and what to do: a file beyond this tool's limits opens in a tool that
 * takes it. Renders nothing without a failure.
 */
function StageFailure({ item: { file, state }, slug }: StageFailureProps) {
  if (state.phase !== 'failed') return null;
  const [what = '', ...rest] = state.message.split(/(?<=[.!?]) /);
  const tool = state.code === 'unsupported' && TOOL_LIST.find((each) => each.slug === slug);
  return (
    <div className={styles.failure} role="alert">
      <TriangleAlert size={28} strokeWidth={1.5} aria-hidden />
      <p className={styles.what}>{what}</p> <p className={styles.todo}>{rest.join(' ')}</p>
      {tool && (
        <div className={styles.actions}>
          <OpenBeyondLimit tool={tool} file={file} />
        </div>
      )}
    </div>
  );
}
