'use client';

import { type Fit, fitModel } from '../../../models/device/fit.ts';
import { formatBytes } from '../../text/quantities.ts';
import type { BatchItem } from '../batch/batch.ts';
import { useDevice } from '../device/use-device.ts';
import { unfitReason } from '../fit/describe-fit.ts';
import type { ParamValues } from '../params/fields.ts';
import type { FileRuns } from '../runs/use-file-runs.ts';
import { focusStage } from '../stage/focus-stage.ts';
import { CLIP, CLIP_BYTES, FULL_MODEL_VALUES, ranClip, usesFullModel, withBundledModel } from './models.ts';
import styles from './safety.module.css';

interface WiderModelProps {
  readonly runs: FileRuns;
  readonly selected: BatchItem | undefined;
}

/** Offers the model that judges all categories: it is downloaded once, and only after a click. */
export function FullModelOffer({ runs, selected }: WiderModelProps) {
  const device = useDevice();
  if (runs.location === 'server') return null;
  const known = selected && runs.fits.get(selected.id)?.engines.get(CLIP.id);
  const fit = known ?? (device && fitModel(CLIP, device));
  return (
    <section className={styles.wider} aria-labelledby="wider-model">
      <h2 id="wider-model">Violence, hate, self-harm</h2>
      {usesFullModel(runs.values) ? (
        <Chosen runs={runs} selected={selected} fit={fit} />
      ) : (
        <Offered runs={runs} fit={fit} />
      )}
    </section>
  );
}

interface FittedProps {
  readonly runs: FileRuns;
  /** Whether CLIP can run here, with the selected file where there is one; undefined until that is known. */
  readonly fit: Fit | undefined;
}

function Offered({ runs, fit }: FittedProps) {
  const { values, isRunning } = runs;
  const choose = chooser(runs);
  return (
    <>
      <p>The model that comes with Darkroom checks sexual content only. CLIP checks all four categories.</p>
      {canRun(fit) ? (
        <button
          type="button"
          className="button"
          disabled={isRunning}
          onClick={() => choose({ ...values, ...FULL_MODEL_VALUES })}
        >
          {fit?.verdict === 'here' ? 'Check with CLIP' : `Download CLIP, over ${formatBytes(CLIP_BYTES)}`}
        </button>
      ) : (
        <Lack fit={fit} />
      )}
    </>
  );
}

function Chosen({ runs, selected, fit }: FittedProps & Pick<WiderModelProps, 'selected'>) {
  const { outdated, values, isRunning } = runs;
  const choose = chooser(runs);
  const isChecked = selected !== undefined && ranClip(runs.shownOf(selected).item);
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
  return canRun(fit) ? null : <p>CLIP can't run on this device. {unfitReason(fit)?.reason}</p>;
}

/** Reports whether CLIP may run here: it most likely may as long as that is unknown. */
function canRun(fit: Fit | undefined): boolean {
  const unfit = unfitReason(fit);
  return unfit === undefined || unfit.mayRetry === true;
}

/** Applies values by a button that its own press removes: the focus goes to the stage, if there is something to show. */
const chooser =
  ({ applyAndStart }: FileRuns) =>
  (values: ParamValues) => {
    focusStage();
    applyAndStart(values);
  };
