// @module-tag long

import { createHash, randomBytes } from 'node:crypto';
import { statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatUsd } from '../../../../models/core/operation/money.ts';
import { readBalance } from '../../../../server/money/wallet/index.ts';
import { createRunnerHarness } from '../../../support/service/runner-harness.ts';

test('while the disk is low a result of over 10 MB ends its job without a charge, and a small job completes', async () => {
  const { bavail, bsize } = await statfs(tmpdir());
  const harness = await createRunnerHarness({ DISK_RESERVE_MB: String((2 * bavail * bsize) / 1e6) });
  const { ctx, actor } = harness.fixture;
  const runner = await harness.start();
  try {
    const bytes = randomBytes(10_000_001);
    const path = join(ctx.env.DATA_DIR, 'large');
    await writeFile(path, bytes);
    const key = 'inputs/large/token/input';
    await ctx.storage.putFile(key, path, 'image/png');
    const sha256 = createHash('sha256').update(bytes).digest();
    const file = { key, name: 'input', mediaType: 'image/png', bytes: bytes.length, sha256 };
    const large = await harness.submit(
      { behaviour: 'copy' },
      { files: [{ ...file, role: 'input', position: 0 }] },
    );
    const small = await harness.submit({ behaviour: 'copy' });
    expect(await harness.ended(large)).toMatchObject({ status: 'ERROR', code: 'storage_full', output: null });
    expect(await harness.ended(small)).toMatchObject({ status: 'COMPLETED' });
    // The fixture's credit less the small job alone.
    const { charged_usd } = (await harness.view(small)).billing;
    const { balance, held } = await readBalance(ctx.db, actor.accountId);
    expect([formatUsd(1_000_000n - balance), held]).toEqual([charged_usd, 0n]);
  } finally {
    await runner.stop(0);
    await harness.fixture.close();
  }
});
