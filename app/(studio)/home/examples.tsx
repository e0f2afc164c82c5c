import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReactNode } from 'react';
import type { OperationId } from '../../../models/registry.ts';
import { CompareSlider } from '../frame/compare-slider.tsx';
import { bytes, change } from '../quantities.ts';
import { SAMPLE } from '../samples.ts';
import styles from './examples.module.css';

/** A real before and after of an operation, made by the product itself (scripts/samples.ts). */
export const EXAMPLES: Readonly<Partial<Record<OperationId, () => Promise<ReactNode>>>> = {
  'media-convert-image': ConvertExample,
};

async function ConvertExample() {
  const [before, after] = await Promise.all([sizeOf(SAMPLE.url), sizeOf(SAMPLE.convertedUrl)]);
  return (
    <figure className={styles.example}>
      <div className={styles.pictures}>
        <CompareSlider before={SAMPLE.url} after={SAMPLE.convertedUrl} name={SAMPLE.alt} />
      </div>
      <figcaption className="facts">
        JPG {bytes(before)} → AVIF {bytes(after)} · {change(before, after)}
      </figcaption>
    </figure>
  );
}

async function sizeOf(publicUrl: string): Promise<number> {
  return (await stat(join(process.cwd(), 'public', publicUrl))).size;
}
