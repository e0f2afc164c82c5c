import type { ItemState } from './batch.ts';
import styles from './stage.module.css';

/** Over the picture: why nothing came of it. Nothing while there is nothing to say. */
export function StageFailure({ state }: { readonly state: ItemState }) {
  if (state.phase !== 'failed') return null;
  return (
    <p className={styles.failure} role="alert">
      {state.message}
    </p>
  );
}
