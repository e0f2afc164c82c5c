'use client';

import { type Fit, fitModel } from '../../../models/device-fit.ts';
import type { BatchItem } from '../batch/batch.ts';
import { useDevice } from '../device/use-device.ts';
import { lackOf } from '../frame/describe-fit.ts';
import type { ParamValues } from '../frame/fields.ts';
import { focusStage } from '../frame/focus-stage.ts';
import type { FileRuns } from '../frame/use-file-runs.ts';
import { bytes } from '../text/quantities.ts';
import { CLIP, CLIP_BYTES, isByClip, isWide, WIDE, withBundledModel } from './models.ts';
import styles from './safety.module.css';

interface WiderModelProps {
  readonly work: FileRuns;
  readonly selected: BatchItem | undefined;
}

/** Offers the model that judges all categories: it is downloaded once, and only after a click. */
export function WiderModel({ work, selected }: WiderModelProps) {
  const device = useDevice();
  if (work.where === 'server') return null;
  const known = selected && work.fits.get(selected.id)?.engines.get(CLIP.id);
  const fit = known ?? (device && fitModel(CLIP, device));
  return (
    <section className={styles.wider} aria-labelledby="wider-model">
      <h2 id="wider-model">Violence, hate, self-harm</h2>
      {isWide(work.values) ? (
        <Chosen work={work} selected={selected} fit={fit} />
      ) : (
        <Offered work={work} fit={fit} />
      )}
    </section>
  );
}

interface FittedProps {
  readonly work: FileRuns;
  /** Whether CLIP can run here, with the selected file where there is one; undefined until that is known. */
  readonly fit: Fit | undefined;
}

function Offered({ work, fit }: FittedProps) {
  const { values, isRunning } = work;
  const choose = chooser(work);
  return (
    <>
      <p>The model that comes with Darkroom checks sexual content only. CLIP checks all four categories.</p>
      {canRun(fit) ? (
        <button
          type="button"
          className="button"
          disabled={isRunning}
          onClick={() => choose({ ...values, ...WIDE })}
        >
          {fit?.verdict === 'here' ? 'Check with CLIP' : `Download CLIP, over ${bytes(CLIP_BYTES)}`}
        </button>
      ) : (
        <Lack fit={fit} />
      )}
    </>
  );
}

function Chosen({ work, selected, fit }: FittedProps & Pick<WiderModelProps, 'selected'>) {
  const { outdated, values, isRunning } = work;
  const choose = chooser(work);
  const isChecked = selected !== undefined && isByClip(work.shownOf(selected).item);
  return (
    <>
      <p>
        {isChecked
          ? 'Checked by CLIP, a general model, together with the model for sexual content.'
          : 'You chose CLIP, a general model. It checks all four categories, together with the model for sexual content.'}
      </p>
      {!isChecked && <Lack fit={fit} />}
      {outdated.length > 0 && canRun(fit) && (
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

/** Says why CLIP can't run on this device, where another try would fail again. */
function Lack({ fit }: Pick<FittedProps, 'fit'>) {
  return canRun(fit) ? null : <p>CLIP can't run on this device. {lackOf(fit)?.reason}</p>;
}

/** Reports whether CLIP may run here: it most likely may as long as that is unknown. */
function canRun(fit: Fit | undefined): boolean {
  const lack = lackOf(fit);
  return lack === undefined || lack.mayRetry === true;
}

/** Applies values by a button that its own press removes: the focus goes to the stage, if there is something to show. */
const chooser =
  ({ changeAndStart }: FileRuns) =>
  (values: ParamValues) => {
    focusStage();
    changeAndStart(values);
  };
