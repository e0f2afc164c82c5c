'use client';

import { type Fit, fitModel } from '../../../models/core/runtime/fit.ts';
import { formatBytes } from '../../ui/quantities.ts';
import { unfitReason } from '../runs/describe-run.ts';
import {
  useRunActions,
  useRunFiles,
  useRunOutline,
  useRunPlaces,
  useRunSettings,
  useShownFile,
} from '../runs/runs-context.ts';
import { useDevice } from '../runs/use-device.ts';
import { focusStage } from '../stage/use-stage-focus.ts';
import type { ParamValues } from '../tools/fields.ts';
import { CLIP, ranClip, usesFullModel } from './models.ts';
import styles from './moderate.module.css';

/** Offers the model that judges all categories: it is downloaded once, and only after a click. */
export function FullModelOffer() {
  const device = useDevice();
  const { values, location } = useRunSettings();
  const { selected } = useRunOutline();
  const { fits } = useRunPlaces();
  if (location === 'server') return null;
  const known = selected && fits.get(selected.id)?.engines.get(CLIP.id);
  const fit = known ?? (device && fitModel(CLIP, device));
  return (
    <section className={styles.wider} aria-labelledby="wider-model">
      <h2 id="wider-model">Violence, hate, self-harm</h2>
      {usesFullModel(values) ? <Chosen fit={fit} /> : <Offered fit={fit} />}
    </section>
  );
}

interface FittedProps {
  /** Whether CLIP can run here, with the selected file where there is one; undefined until that is known. */
  readonly fit: Fit | undefined;
}

function Offered({ fit }: FittedProps) {
  const { isRunning } = useRunOutline();
  const choose = useChooser();
  return (
    <>
      <p>CLIP, a larger model, checks these, too.</p>
      {canRun(fit) ? (
        <button
          type="button"
          className="button"
          disabled={isRunning}
          onClick={() => choose({ model: 'wide' })}
        >
          {fit?.verdict === 'here' ? 'Check with CLIP' : `Download CLIP, over ${formatBytes(CLIP.bytes)}`}
        </button>
      ) : (
        <UnfitNote fit={fit} />
      )}
    </>
  );
}

function Chosen({ fit }: FittedProps) {
  const { outdated } = useRunFiles();
  const { isRunning } = useRunOutline();
  const shown = useShownFile();
  const choose = useChooser();
  const isChecked = shown !== undefined && ranClip(shown.item);
  return (
    <>
      <p>{isChecked ? 'Checked with CLIP.' : 'CLIP checks all four categories.'}</p>
      {!isChecked && <UnfitNote fit={fit} />}
      {outdated.length > 0 && canRun(fit) && (
        <button type="button" className="button" disabled={isRunning} onClick={() => choose({})}>
          Try CLIP again
        </button>
      )}
      <button
        type="button"
        className="button"
        disabled={isRunning}
        onClick={() => choose({ model: 'bundled' })}
      >
        Check sexual content only
      </button>
    </>
  );
}

/** Says why CLIP can't run on this device, where another try would fail again. */
function UnfitNote({ fit }: Pick<FittedProps, 'fit'>) {
  return canRun(fit) ? null : <p>CLIP can't run on this device. {unfitReason(fit)?.reason}</p>;
}

/** Reports whether CLIP may run here: it most likely may as long as that is unknown. */
function canRun(fit: Fit | undefined): boolean {
  const unfit = unfitReason(fit);
  return unfit === undefined || unfit.mayRetry === true;
}

/**
 * Applies values by a button that its own press removes: the focus goes to the stage, if there is something to show.
 */
function useChooser(): (changed: ParamValues) => void {
  const { change } = useRunActions();
  return (changed) => {
    focusStage();
    change(changed);
  };
}
