import { expect, test } from 'vitest';
import { FAILURE_TEXTS } from '../../../app/studio/failures/describe-failure.ts';
import type { FileResult, RunRequest } from '../../../app/studio/runs/batch.ts';
import { Batch } from '../../../app/studio/runs/run-batch.ts';
import { type FailureKind, OperationError } from '../../../models/core/operation/errors.ts';

const DRAFT: FileResult = { files: [], warnings: [], engine: 'matte on wasm' };
const ORDER: RunRequest = { paramsFor: () => ({}), location: 'device' };

/** Makes a draft, then runs the file again without success, and returns its state. */
async function afterFailedRerun(order: RunRequest, kind: FailureKind = 'model_unreachable') {
  const results = [DRAFT];
  const batch = new Batch(async () => {
    const result = results.pop();
    if (!result) throw new OperationError('unavailable', 'U²-Net small could not be downloaded.', { kind });
    return result;
  }, 1);
  const id = batch.add([new File(['x'], 'a.jpg')]);
  await batch.start(ORDER);
  await batch.rerun(order, [id]);
  return batch.view().items[0]?.state;
}

test('an automatic rerun leaves the result without a failure where its model cannot be downloaded', async () => {
  const state = await afterFailedRerun({ ...ORDER, isAutomatic: true });
  expect(state).toMatchObject({ phase: 'done', result: DRAFT });
  expect(state).not.toHaveProperty('rerunError');
});

test('a rerun that the visitor asked for says why it failed', async () => {
  expect(await afterFailedRerun(ORDER)).toMatchObject({
    phase: 'done',
    result: DRAFT,
    rerunError: FAILURE_TEXTS.model_unreachable,
  });
});

test('an automatic rerun says why it failed where the visitor can fix it', async () => {
  const state = await afterFailedRerun({ ...ORDER, isAutomatic: true }, 'storage_full');
  expect(state).toMatchObject({ phase: 'done', result: DRAFT, rerunError: FAILURE_TEXTS.storage_full });
});
