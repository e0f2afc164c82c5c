'use client';

import { useViewable } from '../files/use-viewable.ts';
import type { BatchItem } from '../runs/batch.ts';
import { resultsOf } from '../runs/results.ts';
import styles from './extend.module.css';
import { seedsOf } from './settings.ts';
import type { PickedVariants } from './use-picked-variants.ts';

interface VariantGridProps {
  readonly item: BatchItem;
  readonly picked: PickedVariants;
}

/** Shows all variants side by side. The picked one is downloaded, and extended again. */
export function VariantGrid({ item, picked }: VariantGridProps) {
  const results = resultsOf(item);
  const seeds = seedsOf(item);
  return (
    <fieldset className={styles.variants} data-count={results.length}>
      <legend className="sr-only">Variants</legend>
      {results.map(({ name, file }, index) => (
        <label key={name}>
          <input
            type="radio"
            className="visually-hidden"
            name="variant"
            checked={picked.indexOf(item) === index}
            onChange={() => picked.pick(item, index)}
          />
          <Variant blob={file.blob} />
          <span className={styles.caption}>
            Variant {index + 1} <span className="facts">seed {seeds[index]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function Variant({ blob }: { readonly blob: Blob }) {
  const url = useViewable(blob);
  return url ? <img className="develops" src={url} alt="" draggable={false} /> : <span />;
}
