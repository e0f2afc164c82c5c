'use client';

import { Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { isOperationId } from '../../../models/registry.ts';
import { WEIGHTS } from '../../../models/weights/catalog.ts';
import { type WeightCard, weightFileName } from '../../../models/weights/weight-card.ts';
import { openWeightFolder } from '../../../workers/runtime/weight-cache/weight-folder.ts';
import { bytes } from '../quantities.ts';
import styles from './device.module.css';

/** What this browser holds of the networks that the tools use. */
interface Stored {
  /** By file name; null where the browser keeps no files. */
  readonly sizes: ReadonlyMap<string, number> | null;
  readonly usedBytes: number;
}

const OFFERED = WEIGHTS.filter(({ operation }) => isOperationId(operation));

/** The networks of the tools: what of them lies in this browser, under which licence, and a way to delete it. */
export function StoredModels() {
  const [stored, setStored] = useState<Stored>();
  const [said, setSaid] = useState('');
  const reload = () => readStored().then(setStored);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once when the page opens, then after each change
  useEffect(() => void reload(), []);
  if (!stored) return null;

  const remove = async (card: WeightCard) => {
    setSaid(await removeModel(card));
    await reload();
  };
  return (
    <section aria-labelledby="models">
      <h2 id="models">Models on this device</h2>
      <p className={styles.lead}>
        {stored.sizes
          ? `Larger ones are downloaded when you choose them, and kept in this browser: ${bytes(stored.usedBytes)} so far.`
          : 'This browser keeps no files for pages, so what you choose is downloaded again each time.'}
      </p>
      <ul className={styles.models}>
        {OFFERED.map((card) => (
          <Row
            key={card.id}
            card={card}
            storedBytes={stored.sizes?.get(weightFileName(card)) ?? 0}
            onDelete={() => void remove(card)}
          />
        ))}
      </ul>
      <p role="status" className={styles.said}>
        {said}
      </p>
    </section>
  );
}

interface RowProps {
  readonly card: WeightCard;
  readonly storedBytes: number;
  readonly onDelete: () => void;
}

function Row({ card, storedBytes, onDelete }: RowProps) {
  const { id, role, licence } = card;
  return (
    <li>
      <div>
        <strong className={styles.model}>{id}</strong>
        <span className={styles.note}>{role}</span>
      </div>
      <div>
        <span className="facts">{stateOf(card, storedBytes)}</span>
        <span className={styles.note}>
          {licence.name}
          {licence.consequence && `. ${licence.consequence}`}
        </span>
      </div>
      {storedBytes > 0 && (
        <button type="button" className="button button-icon" aria-label={`Delete ${id}`} onClick={onDelete}>
          <Trash2 size={18} strokeWidth={1.5} aria-hidden />
        </button>
      )}
    </li>
  );
}

function stateOf(card: WeightCard, storedBytes: number): string {
  const size = card.bytes === null ? 'size not known' : bytes(card.bytes);
  if (card.url === null) return `${size}, comes with the page`;
  if (storedBytes === 0) return `${size}, not here`;
  return storedBytes === card.bytes ? `${size}, here` : `${bytes(storedBytes)} of ${size}, begun`;
}

async function readStored(): Promise<Stored> {
  const sizes = (await (await openWeightFolder())?.list()) ?? null;
  const usedBytes = [...(sizes?.values() ?? [])].reduce((sum, size) => sum + size, 0);
  return { sizes, usedBytes };
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
