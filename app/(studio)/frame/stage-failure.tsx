import { TriangleAlert } from 'lucide-react';
import type { ItemState } from '../batch/batch.ts';
import styles from './stage-failure.module.css';

/** Says in place of the image why a run failed, and what to do. Renders nothing without a failure. */
export function StageFailure({ state }: { readonly state: ItemState }) {
  if (state.phase !== 'failed') return null;
  const [what = '', ...rest] = state.message.split(/(?<=[.!?]) /);
  return (
    <div className={styles.failure} role="alert">
      <TriangleAlert size={28} strokeWidth={1.5} aria-hidden />
      <p className={styles.what}>{what}</p> <p className={styles.todo}>{rest.join(' ')}</p>
    </div>
  );
}
