import type { ItemState } from '../batch/batch.ts';
import styles from './stage.module.css';

/** Explains over the image why a run failed. Renders nothing without a failure. */
export function StageFailure({ state }: { readonly state: ItemState }) {
  if (state.phase !== 'failed') return null;
  return (
    <p className={styles.failure} role="alert">
      {state.message}
    </p>
  );
}
