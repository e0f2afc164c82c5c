'use client';

import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { fitModel } from '../../../models/core/device/fit.ts';
import { type WeightCard, weightFileName } from '../../../models/core/runtime/weight-card.ts';
import { openWeightFolder } from '../../../workers/runtime/weight-cache/weight-folder.ts';
import { describeTerms } from '../../studio/form/model.ts';
import { unfitReason } from '../../studio/runs/describe-fit.ts';
import { describeStorage, type StoredWeights, useStoredWeights } from '../../studio/runs/stored-weights.ts';
import { useDevice } from '../../studio/runs/use-device.ts';
import { formatBytes } from '../../text/quantities.ts';
import styles from './device.module.css';

/** Lists the tools' models: what this browser stores of each, its licence, and a button to delete it. */
export function StoredModels({ weights }: { readonly weights: readonly WeightCard[] }) {
  const stored = useStoredWeights();
  const device = useDevice();
  const [said, setSaid] = useState('');
  if (stored === undefined) return null;
  return (
    <section aria-labelledby="models">
      <h2 id="models">Models on this device</h2>
      <p className={styles.lead}>
        {stored
          ? `Larger models are downloaded when you choose them, and stored in this browser: ${formatBytes(sum(stored))} so far.`
          : `This browser can't store files for this site, so models are downloaded again each time.`}
      </p>
      <ul className={styles.models}>
        {weights.map((card) => (
          <Row
            key={card.id}
            card={card}
            stored={stored}
            unfit={device && unfitReason(fitModel(card, device))?.reason}
            onDelete={async () => setSaid(await removeModel(card))}
          />
        ))}
      </ul>
      <p role="status" className={styles.said}>
        {said}
      </p>
    </section>
  );
}

function sum(stored: ReadonlyMap<string, number>): number {
  return [...stored.values()].reduce((total, size) => total + size, 0);
}

interface RowProps {
  readonly card: WeightCard;
  readonly stored: StoredWeights;
  /** Reason why the model cannot run here; undefined where it can. */
  readonly unfit: string | undefined;
  readonly onDelete: () => void;
}

function Row({ card, stored, unfit, onDelete }: RowProps) {
  const { id, role } = card;
  return (
    <li>
      <div>
        <strong className={styles.model}>{id}</strong>
        <span className={styles.note}>{role}</span>
      </div>
      <div>
        <span className="facts">{describeStorage([card], stored)}</span>
        {unfit && <span className={styles.note}>Not on this device. {unfit}</span>}
        <span className={styles.note}>{describeTerms(card)}</span>
      </div>
      {stored?.has(weightFileName(card)) && (
        <button type="button" className="button button-icon" aria-label={`Delete ${id}`} onClick={onDelete}>
          <Trash2 size={18} strokeWidth={1.5} aria-hidden />
        </button>
      )}
    </li>
  );
}

/**
 * Deletes a model's stored files.
 * @returns the outcome, in words for the visitor
 */
async function removeModel(card: WeightCard): Promise<string> {
  try {
    await (await openWeightFolder())?.remove(weightFileName(card));
    return `${card.id} is deleted.`;
  } catch {
    return `${card.id} is being downloaded. Delete it afterwards.`;
  }
}
