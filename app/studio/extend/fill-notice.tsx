'use client';

import { FILL_QUALITY_LOW } from '../../../models/operations/extend/fill/estimate-fill.ts';
import type { BatchItem } from '../runs/batch.ts';
import { useRunActions, useRunPlaces, useRunSettings } from '../runs/runs-context.ts';
import { describeStorage, useStoredWeights } from '../runs/stored-weights.ts';
import { useServerEngine } from '../runs/use-server-engine.ts';
import styles from '../stage/stage-notice.module.css';
import { betterModel, describeEstimate } from './simple-fill.ts';
import type { ShownPreview } from './use-fill-preview.ts';

interface FillNoticeProps {
  readonly item: BatchItem;
  readonly preview: ShownPreview | undefined;
}

/** Says before a run how the simple fill will do, and offers a model or the server where it will not do well. */
export function FillNotice({ item, preview }: FillNoticeProps) {
  const isLow = preview !== undefined && preview.quality < FILL_QUALITY_LOW;
  return (
    <div className={styles.notice} role="note" data-low={isLow}>
      <p>{preview ? describeEstimate(preview) : 'Simple fill: estimating its quality…'}</p>
      {isLow && <Alternatives item={item} />}
    </div>
  );
}

/** Offers a model that fits here; where none does, the server, which is asked only then whether it has a better one. */
function Alternatives({ item }: Pick<FillNoticeProps, 'item'>) {
  const { change, chooseLocation } = useRunActions();
  const { values } = useRunSettings();
  const { fits } = useRunPlaces();
  const stored = useStoredWeights();
  const model = betterModel(fits.get(item.id));
  const isWanted = model === undefined;
  const server = useServerEngine('image-outpaint', { items: [item], values, fits, isWanted });
  return (
    <div>
      {model && (
        <button type="button" className="button" onClick={() => change({ engine: model.id })}>
          Use {model.name}, {describeStorage([model.card], stored)}
        </button>
      )}
      {server && !server.isOnDevice && (
        <button type="button" className="button" onClick={() => chooseLocation('server')}>
          Use {server.name} on our server
        </button>
      )}
    </div>
  );
}
