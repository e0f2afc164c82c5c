'use client';

import type { BatchItem } from '../batch/batch.ts';
import { lackOf } from '../frame/describe-fit.ts';
import type { ParamValues } from '../frame/fields.ts';
import { focusStage } from '../frame/focus-stage.ts';
import type { FileRuns } from '../frame/use-file-runs.ts';
import { bytes } from '../text/quantities.ts';
import { CLIP, CLIP_BYTES, isWide, WIDE, withBundledModel } from './models.ts';
import styles from './safety.module.css';

interface WiderModelProps {
  readonly work: FileRuns;
  readonly selected: BatchItem | undefined;
}

/** Offers the model that judges all categories: it is downloaded once, and only after a click. */
export function WiderModel({ work, selected }: WiderModelProps) {
  if (work.where === 'server') return null;
  return (
    <section className={styles.wider} aria-labelledby="wider-model">
      <h2 id="wider-model">Violence, hate, self-harm</h2>
      {isWide(work.values) ? <Chosen work={work} /> : <Offered work={work} selected={selected} />}
    </section>
  );
}

function Offered({ work, selected }: WiderModelProps) {
  const { fits, values, isRunning } = work;
  const choose = chooser(work);
  const fit = selected && fits.get(selected.id)?.engines.get(CLIP.id);
  const lack = lackOf(fit);
  return (
    <>
      <p>The model that comes with Darkroom checks sexual content only. CLIP checks all four categories.</p>
      {lack && !lack.mayRetry ? (
        <p>CLIP can't run on this device. {lack.reason}</p>
      ) : (
        <button
          type="button"
          className="button"
          disabled={isRunning}
          onClick={() => choose({ ...values, ...WIDE })}
        >
          {fit?.verdict === 'here' ? 'Check with CLIP' : `Download CLIP, over ${bytes(CLIP_BYTES)}`}
        </button>
      )}
    </>
  );
}

function Chosen({ work }: { readonly work: FileRuns }) {
  const { outdated, values, isRunning } = work;
  const choose = chooser(work);
  return (
    <>
      <p>Checked by CLIP, a general model, together with the model for sexual content.</p>
      {outdated.length > 0 && (
        <button type="button" className="button" disabled={isRunning} onClick={() => choose(values)}>
          Try CLIP again
        </button>
      )}
      <button
        type="button"
        className="button"
        disabled={isRunning}
        onClick={() => choose(withBundledModel(values))}
      >
        Check sexual content only
      </button>
    </>
  );
}

/** Applies values by a button that its own press removes: the focus goes to the stage, if there is something to show. */
const chooser =
  ({ changeAndStart }: FileRuns) =>
  (values: ParamValues) => {
    focusStage();
    changeAndStart(values);
  };
