import { createHash } from 'node:crypto';
import type { Page } from 'playwright';
import type { WeightCard } from '../../../models/core/runtime/weight-card.ts';
import { createMatteModel } from '../../support/models/matte.ts';
import type { ServedFile } from './altered-pages.ts';

/** Small model in the place of a published one, which a test cannot download. */
export interface StandInWeights {
  /** Puts the stand-in's hash and size in the place of the model's own, in every script. */
  readonly alter: (served: ServedFile) => Buffer;
  /** Lets a page download the stand-in; returns the number of downloads so far. */
  readonly serve: (page: Page) => Promise<() => number>;
  /** Holds the downloads of a page that `serve` prepared, until the returned function is called. */
  readonly hold: (page: Page) => Promise<() => void>;
}

/** @param graph of the stand-in; one that finds a subject when absent */
export function createStandInWeights(
  card: WeightCard & { readonly bytes: number },
  graph: Uint8Array = createMatteModel(card.id),
): StandInWeights {
  const model = Buffer.from(graph);
  const sha256 = createHash('sha256').update(model).digest('hex');
  return {
    alter({ headers, body }) {
      if (!headers.get('content-type')?.includes('javascript')) return body;
      const script = body.toString('latin1');
      if (!script.includes(card.sha256)) return body;
      // Minified code has the shorter form of a number.
      const sizes = [`${card.bytes}`, `0x${card.bytes.toString(16)}`];
      const resized = sizes.reduce((text, size) => text.replaceAll(size, `${model.length}`), script);
      return Buffer.from(resized.replaceAll(card.sha256, sha256), 'latin1');
    },
    async serve(page) {
      let count = 0;
      await page.context().route(`**/api/weights/${sha256}`, (route) => {
        count += 1;
        return route.fulfill({ status: 200, contentType: 'application/octet-stream', body: model });
      });
      // A stand-in cannot pass the acceptance test: without the samples it is not measured, and may run.
      await page.context().route('**/acceptance/*', (route) => route.fulfill({ status: 404 }));
      return () => count;
    },
    async hold(page) {
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.context().route(`**/api/weights/${sha256}`, async (route) => {
        await released;
        await route.fallback();
      });
      return release;
    },
  };
}
