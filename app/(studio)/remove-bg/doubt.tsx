'use client';

import type { BatchItem } from '../frame/batch.ts';
import { storageWords, useStoredWeights } from '../stored-weights.ts';
import styles from './doubt.module.css';
import { BEST_ENGINE } from './engines.ts';

interface DoubtProps {
  readonly item: BatchItem;
  readonly onBrush: () => void;
  readonly onEngine: (id: string) => void;
}

/** Says where the network was not sure, and what helps. */
export function Doubt({ item: { state }, onBrush, onEngine }: DoubtProps) {
  const stored = useStoredWeights();
  if (state.phase !== 'done') return null;
  const { engine, details } = state.result;
  const words = wordsFor(details?.subjects_detected, details?.matte_quality);
  if (words === null) return null;
  const better = engine?.startsWith(`${BEST_ENGINE?.id} `) ? undefined : BEST_ENGINE;
  return (
    <div className={styles.doubt} role="note">
      <p>{words}</p>
      <div>
        <button type="button" className="button" onClick={onBrush}>
          Open the brush
        </button>
        {better && (
          <button type="button" className="button" onClick={() => onEngine(better.id)}>
            Try {better.name}, {storageWords(better.card, stored)}
          </button>
        )}
      </div>
    </div>
  );
}

function wordsFor(subjects: unknown, quality: unknown): string | null {
  if (subjects === 0) return 'This photo has no clear subject. Paint over what to keep.';
  if (quality !== 'low') return null;
  return 'The outline is a guess in parts. One or two strokes of the brush usually mend it.';
}
