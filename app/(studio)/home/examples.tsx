import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { OperationId } from '../../../models/registry.ts';
import { REMOVE_BG_WEIGHTS } from '../../../models/weights/remove-bg.ts';
import { type Preview, RIDGE } from '../files/samples.ts';
import { SplitView } from '../frame/compare-slider.tsx';
import { bytes, change } from '../text/quantities.ts';
import { TOOLS } from '../tools/tools.ts';
import styles from './examples.module.css';

/** Facts about the examples. */
const FACTS: Readonly<Partial<Record<OperationId, () => Promise<string> | string>>> = {
  'media-convert-image': async () => {
    const [before, after] = await Promise.all([sizeOf(RIDGE.url), sizeOf(RIDGE.resultUrl)]);
    return `JPG ${bytes(before)} → AVIF ${bytes(after)} · ${change(before, after)}`;
  },
  'remove-bg': () =>
    `Background removed by the model of ${bytes(REMOVE_BG_WEIGHTS.matte.bytes)} that comes with Darkroom`,
};

/** Before and after of an operation, made by the product itself (scripts/samples.ts). */
export async function Example({ operationId }: { readonly operationId: OperationId }) {
  const { preview, resultPreview, alt } = TOOLS[operationId].sample;
  const facts = await FACTS[operationId]?.();
  return (
    <figure className={styles.example}>
      <div className={styles.pictures}>
        <SplitView
          before={<img loading="lazy" {...sized(preview)} alt={`${alt}, original`} />}
          after={<img loading="lazy" {...sized(resultPreview)} alt={`${alt}, result`} className="develops" />}
        />
      </div>
      {facts && <figcaption className="facts">{facts}</figcaption>}
    </figure>
  );
}

function sized({ url, width, height }: Preview) {
  return { src: url, width, height };
}

async function sizeOf(publicUrl: string): Promise<number> {
  return (await stat(join(process.cwd(), 'public', publicUrl))).size;
}
