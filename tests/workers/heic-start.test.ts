import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WorkerPage } from '../../lab/support/worker-page.ts';
import { openSharedWorkerPage } from '../support/browser/worker-page.ts';
import { drawSubjectPicture } from '../support/media/subject-picture.ts';

/** Valid module with an unmet import: `(module (import "x" "y" (func)))`. */
const UNMET = Buffer.from('0061736d01000000010401600000020701017801790000', 'hex');

let page: WorkerPage;
beforeAll(async () => {
  page = await openSharedWorkerPage();
  await page.page
    .context()
    .route('**/ffmpeg-core*.wasm', (route) =>
      route.fulfill({ body: UNMET, contentType: 'application/wasm' }),
    );
});
afterAll(() => page.stop());

test('an encoder that cannot be started ends the run with a reason', async () => {
  const outcome = await page.convert(await drawSubjectPicture(64, 48), { to_format: 'heic' });
  expect(outcome).toMatchObject({
    ok: false,
    code: 'unavailable',
    message: expect.stringContaining('could not start its encoder'),
  });
});
