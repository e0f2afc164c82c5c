'use client';

import type { BatchItem } from '../batch/batch.ts';
import { describeStorage, useStoredWeights } from '../device/stored-weights.ts';
import { BEST_ENGINE } from './engines.ts';
import styles from './low-confidence-notice.module.css';

interface LowConfidenceNoticeProps {
  readonly item: BatchItem;
  /** Absent where there is no brush. */
  readonly onBrush?: () => void;
  readonly onEngine: (id: string) => void;
}

/** Says where the model was uncertain, and what helps. */
export function LowConfidenceNotice({ item: { state }, onBrush, onEngine }: LowConfidenceNoticeProps) {
  const stored = useStoredWeights();
  if (state.phase !== 'done') return null;
  const { engine, details, server } = state.result;
  const doubt = doubtOf(details?.subjects_detected, details?.matte_quality);
  if (doubt === null) return null;
  // The server's result is the best available, and may be what this device could not do.
  const isBest = server !== undefined || engine?.startsWith(`${BEST_ENGINE?.id} `);
  const better = isBest ? undefined : BEST_ENGINE;
  return (
    <div className={styles.doubt} role="note">
      <p>
        {doubt.words} {onBrush && doubt.help}
      </p>
      {state.laterFailure && <p role="alert">{state.laterFailure}</p>}
      {(onBrush || better) && (
        <div>
          {onBrush && (
            <button type="button" className="button" onClick={onBrush}>
              Open the brush
            </button>
          )}
          {better && (
            <button type="button" className="button" onClick={() => onEngine(better.id)}>
              Try {better.name}, {describeStorage(better.card, stored)}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

/** Describes the uncertainty and how the brush helps. */
function doubtOf(subjects: unknown, quality: unknown): { words: string; help: string } | null {
  if (subjects === 0) return { words: 'No clear subject was found.', help: 'Paint over what to keep.' };
  if (quality !== 'low') return null;
  const help = 'One or two strokes of the brush usually fix it.';
  return { words: 'Parts of the outline are uncertain.', help };
}
