'use client';

import type { BatchItem } from '../frame/batch.ts';
import { storageWords, useStoredWeights } from '../stored-weights.ts';
import styles from './doubt.module.css';
import { BEST_ENGINE } from './engines.ts';

interface DoubtProps {
  readonly item: BatchItem;
  /** Left out where there is no brush. */
  readonly onBrush?: () => void;
  readonly onEngine: (id: string) => void;
}

/** Says where the network was not sure, and what helps. */
export function Doubt({ item: { state }, onBrush, onEngine }: DoubtProps) {
  const stored = useStoredWeights();
  if (state.phase !== 'done') return null;
  const { engine, details, server } = state.result;
  const doubt = doubtOf(details?.subjects_detected, details?.matte_quality);
  if (doubt === null) return null;
  // What the server has made is the best it has, and may be what this device could not do.
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
              Try {better.name}, {storageWords(better.card, stored)}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

/** What is in doubt, and how the brush helps. */
function doubtOf(subjects: unknown, quality: unknown): { words: string; help: string } | null {
  if (subjects === 0) return { words: 'No clear subject was found.', help: 'Paint over what to keep.' };
  if (quality !== 'low') return null;
  const help = 'One or two strokes of the brush usually mend it.';
  return { words: 'The outline is a guess in parts.', help };
}
