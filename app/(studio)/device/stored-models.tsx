'use client';

import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { type WeightCard, weightFileName } from '../../../models/weights/weight-card.ts';
import { openWeightFolder } from '../../../workers/runtime/weight-cache/weight-folder.ts';
import { bytes } from '../quantities.ts';
import { type StoredWeights, storageWords, useStoredWeights } from '../stored-weights.ts';
import styles from './device.module.css';
import { StorageRoom } from './storage-room.tsx';

/** The networks of the tools: what of them lies in this browser, under which licence, and a way to delete it. */
export function StoredModels({ weights }: { readonly weights: readonly WeightCard[] }) {
  const stored = useStoredWeights();
  const [said, setSaid] = useState('');
  if (stored === undefined) return null;
  return (
    <section aria-labelledby="models">
      <h2 id="models">Models on this device</h2>
      <p className={styles.lead}>
        {stored
          ? `Larger ones are downloaded when you choose them, and kept in this browser: ${bytes(sum(stored))} so far.`
          : 'This browser keeps no files for pages, so what you choose is downloaded again each time.'}
      </p>
      <StorageRoom />
      <ul className={styles.models}>
        {weights.map((card) => (
          <Row
            key={card.id}
            card={card}
            stored={stored}
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
  readonly onDelete: () => void;
}

function Row({ card, stored, onDelete }: RowProps) {
  const { id, role, licence } = card;
  return (
    <li>
      <div>
        <strong className={styles.model}>{id}</strong>
        <span className={styles.note}>{role}</span>
      </div>
      <div>
        <span className="facts">{storageWords(card, stored)}</span>
        <span className={styles.note}>
          {licence.name}
          {licence.consequence && `. ${licence.consequence}`}
        </span>
      </div>
      {stored?.has(weightFileName(card)) && (
        <button type="button" className="button button-icon" aria-label={`Delete ${id}`} onClick={onDelete}>
          <Trash2 size={18} strokeWidth={1.5} aria-hidden />
        </button>
      )}
    </li>
  );
}

/** @returns what became of it, for the reader */
async function removeModel(card: WeightCard): Promise<string> {
  try {
    await (await openWeightFolder())?.remove(weightFileName(card));
    return `${card.id} is deleted.`;
  } catch {
    return `${card.id} is in use just now. Delete it when its download has ended.`;
  }
}
