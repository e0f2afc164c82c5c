import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReactNode } from 'react';
import type { OperationId } from '../../../models/registry.ts';
import { REMOVE_BG_WEIGHTS } from '../../../models/weights/remove-bg.ts';
import { CompareSlider } from '../frame/compare-slider.tsx';
import { bytes, change } from '../quantities.ts';
import { LEMUR, RIDGE, type Sample } from '../samples.ts';
import styles from './examples.module.css';

/** A real before and after of each operation, made by the product itself (scripts/samples.ts). */
export const EXAMPLES: Readonly<Record<OperationId, () => Promise<ReactNode>>> = {
  'media-convert-image': ConvertExample,
  'remove-bg': CutOutExample,
};

async function ConvertExample() {
  const [before, after] = await Promise.all([sizeOf(RIDGE.url), sizeOf(RIDGE.resultUrl)]);
  return (
    <Example sample={RIDGE}>
      JPG {bytes(before)} → AVIF {bytes(after)} · {change(before, after)}
    </Example>
  );
}

async function CutOutExample() {
  return (
    <Example sample={LEMUR}>
      Cut out by the network of {bytes(REMOVE_BG_WEIGHTS.matte.bytes)} that comes with Darkroom
    </Example>
  );
}

interface ExampleProps {
  readonly sample: Sample;
  /** Facts about it. */
  readonly children: ReactNode;
}

function Example({ sample: { url, resultUrl, alt }, children }: ExampleProps) {
  return (
    <figure className={styles.example}>
      <div className={styles.pictures}>
        <CompareSlider before={url} after={resultUrl} name={alt} />
      </div>
      <figcaption className="facts">{children}</figcaption>
    </figure>
  );
}

async function sizeOf(publicUrl: string): Promise<number> {
  return (await stat(join(process.cwd(), 'public', publicUrl))).size;
}
