// @module-tag long

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareSides, listPictures, PARITY_FOLDERS } from '../../lab/quality/parity.ts';
import { SHARED } from '../../lab/support/shared-folder.ts';
import type { WorkerPage } from '../../lab/support/worker-page.ts';
import { openSharedWorkerPage } from '../support/browser/worker-page.ts';
import { sharedData } from '../support/media/shared-data.ts';

/** Damaged coefficients, beyond what samples hold, overflow in another way where several are computed at once. */
const UNALIKE = new Set(['data/convert/hostile/pillow_hopper_bad_exif.jpg']);

// The twin is golden.test.ts, with small files of our own and all formats.
describe.each(PARITY_FOLDERS.map((folder) => ({ folder, data: sharedData(folder) })))(
  '$folder',
  ({ folder, data }) => {
    describe.skipIf(data.isMissing)(data.titled('pictures'), () => {
      let page: WorkerPage;
      beforeAll(async () => {
        page = await openSharedWorkerPage();
      });
      afterAll(() => page.stop());

      test.each(data.isMissing ? [] : listPictures(SHARED, [folder]).filter((path) => !UNALIKE.has(path)))(
        '%s has the same outcome on the device and on the server',
        async (path) => {
          const { verdict, why } = await compareSides(page, SHARED, path, 'png');
          expect(verdict, why).not.toBe('differs');
        },
      );
    });
  },
);
