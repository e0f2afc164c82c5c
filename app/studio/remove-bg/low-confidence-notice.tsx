'use client';

import type { RunFit } from '../../../models/core/runtime/fit.ts';
import type { Progress } from '../../../models/core/runtime/progress.ts';
import type { MatteDoubt } from '../../../models/matting/matte-quality.ts';
import { ProgressLine } from '../../ui/progress-line.tsx';
import { formatBytes } from '../../ui/quantities.ts';
import type { BatchItem, DoneState } from '../runs/batch.ts';
import { isMetered } from '../runs/connection.ts';
import { describeProgress, shownShare } from '../runs/describe-run.ts';
import { describeStorage, useStoredWeights } from '../runs/stored-weights.ts';
import notice from '../stage/stage-notice.module.css';
import { focusStage } from '../stage/use-stage-focus.ts';
import styles from './low-confidence-notice.module.css';
import {
  getDoubt,
  getLowConfidence,
  type LowConfidence,
  planSharper,
  type SharperPlan,
} from './plan-sharper.ts';
import { saveConsent, useConsent } from './sharper-consent.ts';

/** Remedies for a doubt that a stage has. */
export interface NoticeActions {
  /** Whether the visitor has painted: then only a run that will replace the result is worth a word. */
  readonly isPainted?: boolean;
  /** Absent where there is no brush. */
  readonly onBrush?: () => void;
}

interface LowConfidenceNoticeProps extends NoticeActions {
  /** File with the result that is shown. */
  readonly item: BatchItem;
  /** Progress of the run that will replace the result; undefined without one. */
  readonly renewal: Progress | undefined;
  /** Places where the file can run, with each model; undefined until they are known. */
  readonly fit: RunFit | undefined;
  readonly onEngine: (id: string) => void;
  /** Stops the run that will replace the result. */
  readonly onStop: () => void;
}

const DOUBTS: Readonly<Record<LowConfidence, string>> = {
  'no subject': 'No clear subject was found.',
  hard: 'This image is hard: the outline is a draft.',
  uneven: 'Parts of the outline are uncertain.',
};
/** Doubts by the part that is most likely wrong, where it is known. */
const PARTS: Readonly<Record<Exclude<LowConfidence, 'no subject'>, Readonly<Record<MatteDoubt, string>>>> = {
  hard: {
    inside: 'Much of the inside was guessed.',
    outline: 'The outline is a draft.',
    subject: 'The subject is unclear: other things were left out.',
  },
  uneven: {
    inside: 'Parts of the inside were guessed.',
    outline: 'Parts of the outline are uncertain.',
    subject: 'Something next to the subject was left out.',
  },
};
const HELPS: Readonly<Record<LowConfidence, string>> = {
  'no subject': 'Paint over what to keep.',
  hard: 'Paint over what is wrong.',
  uneven: 'A stroke of the brush fixes it.',
};

/**
 * Says how far a result can be trusted and what helps: the brush, or a sharper model that fits here; and of any result,
 * what becomes of the run that is to replace it.
 */
export function LowConfidenceNotice(props: LowConfidenceNoticeProps) {
  const { item, renewal, isPainted, onStop } = props;
  const { state } = item;
  const doubt = getLowConfidence(state);
  if (state.phase !== 'done') return null;
  if (renewal) return <Replacement progress={renewal} isDraft={doubt !== null} onStop={onStop} />;
  if (!isPainted && doubt !== null) return <Uncertainty {...props} state={state} doubt={doubt} />;
  if (!state.rerunError) return null;
  return (
    <div className={notice.notice} role="note" data-low>
      <p role="alert">{state.rerunError}</p>
    </div>
  );
}

interface UncertaintyProps extends Pick<LowConfidenceNoticeProps, 'fit' | 'onBrush' | 'onEngine'> {
  readonly state: DoneState;
  readonly doubt: LowConfidence;
}

/** Says what is wrong with a result, and what helps. */
function Uncertainty({ state, doubt, fit, onBrush, onEngine }: UncertaintyProps) {
  const consent = useConsent();
  const plan = planSharper({ state, fit, consent, isMetered: isMetered() });
  // A video takes so long that only a click may run it again.
  const isAsked = onBrush !== undefined && plan?.step === 'ask';
  return (
    <div className={notice.notice} role="note" data-low>
      <p>
        {describeDoubt(doubt, getDoubt(state))} {onBrush && !isAsked && HELPS[doubt]}{' '}
        {plan && describePlan(plan, isAsked)}
      </p>
      {state.rerunError && <p role="alert">{state.rerunError}</p>}
      {(onBrush || plan) && (
        <div>
          {plan && isAsked && <Consent plan={plan} onEngine={onEngine} />}
          {onBrush && (
            <button type="button" className={`button ${styles.brush}`} onClick={onBrush}>
              Open the brush
            </button>
          )}
          {plan && !isAsked && plan.step !== 'metered' && <Trial plan={plan} onEngine={onEngine} />}
        </div>
      )}
    </div>
  );
}

/** Says what is wrong with a result, as exactly as is known. */
function describeDoubt(doubt: LowConfidence, part: MatteDoubt | null): string {
  return doubt === 'no subject' || part === null ? DOUBTS[doubt] : PARTS[doubt][part];
}

interface SharperProps extends Pick<LowConfidenceNoticeProps, 'onEngine'> {
  readonly plan: SharperPlan;
}

/** Asks whether a sharper model may be kept on this device. */
function Consent({ plan: { engine }, onEngine }: SharperProps) {
  const keep = () => {
    saveConsent('yes');
    onEngine(engine.id);
  };
  return (
    <>
      <button type="button" className="button" onClick={press(keep)}>
        Keep {engine.name}, {formatBytes(engine.card.bytes ?? 0)}
      </button>
      <button type="button" className="button" onClick={press(() => saveConsent('no'))}>
        No, thanks
      </button>
    </>
  );
}

/** Offers a run with a sharper model. */
function Trial({ plan: { engine }, onEngine }: SharperProps) {
  const stored = useStoredWeights();
  return (
    <button type="button" className="button" onClick={press(() => onEngine(engine.id))}>
      Try {engine.name}, {describeStorage([engine.card], stored)}
    </button>
  );
}

/** Handler of a button that its own press removes: the focus stays with the stage. */
const press = (act: () => void) => () => {
  focusStage();
  act();
};

function describePlan({ engine: { name, card }, step }: SharperPlan, isAsked: boolean): string {
  const size = formatBytes(card.bytes ?? 0);
  if (step === 'metered') {
    return `${name}, a sharper model of ${size}, is not downloaded on a metered connection.`;
  }
  if (!isAsked) return '';
  return `Download a sharper model (${name}, ${size})?`;
}

interface ReplacementProps {
  readonly progress: Progress;
  /** Whether the result that is shown cannot be trusted. */
  readonly isDraft: boolean;
  readonly onStop: () => void;
}

/** Progress of the run that will replace a result. */
function Replacement({ progress, isDraft, onStop }: ReplacementProps) {
  return (
    <div className={notice.notice} role="note" data-low>
      <p>
        {isDraft ? 'Draft. A better result' : 'A new result'} is on its way.{' '}
        <span className="facts">{describeProgress(progress)}</span>
      </p>
      <div>
        <button type="button" className="button" onClick={press(onStop)}>
          Stop
        </button>
      </div>
      <div className={styles.progress}>
        <ProgressLine
          fraction={shownShare(progress)}
          label="Progress of the new result"
          words={describeProgress(progress)}
        />
      </div>
    </div>
  );
}
