import { TriangleAlert } from 'lucide-react';
import { OpenBeyondLimit } from '../add-files/open-refused.tsx';
import type { BatchItem } from '../runs/batch.ts';
import { TOOL_LIST } from '../tools/tools.ts';
import styles from './stage-failure.module.css';

interface StageFailureProps {
  readonly item: BatchItem;
  /** Tool that this stage belongs to. */
  readonly slug: string;
}

/**
 * Says in place of the image why a run failed, and what to do: a file beyond this tool's limits opens in a tool that
 * takes it. Renders nothing without a failure.
 */
export function StageFailure({ item: { file, state }, slug }: StageFailureProps) {
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
