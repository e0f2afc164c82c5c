'use client';

import type { FileRuns } from '../frame/use-file-runs.ts';
import { bytes } from '../text/quantities.ts';
import { CLIP_BYTES, isWide, WIDE, withBundledModel } from './models.ts';
import styles from './safety.module.css';

/** Offers the model that judges all categories: it is downloaded once, and only after a click. */
export function WiderModel({ work }: { readonly work: FileRuns }) {
  const { where, values, isRunning, changeAndStart } = work;
  if (where === 'server') return null;
  return (
    <section className={styles.wider} aria-labelledby="wider-model">
      <h2 id="wider-model">Violence, hate, self-harm</h2>
      {isWide(values) ? (
        <>
          <p>Checked by CLIP, a general model, together with the model for sexual content.</p>
          <button
            type="button"
            className="button"
            disabled={isRunning}
            onClick={() => changeAndStart(withBundledModel(values))}
          >
            Check sexual content only
          </button>
        </>
      ) : (
        <>
          <p>
            The model that comes with Darkroom checks sexual content only. CLIP checks all four categories.
          </p>
          <button
            type="button"
            className="button"
            disabled={isRunning}
            onClick={() => changeAndStart({ ...values, ...WIDE })}
          >
            Download CLIP, over {bytes(CLIP_BYTES)}
          </button>
        </>
      )}
    </section>
  );
}
