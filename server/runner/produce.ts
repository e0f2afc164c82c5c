import { findModel } from '../../models/batch.ts';
import type { Context } from '../context.ts';
import { type Claim, reportProgress } from '../jobs/index.ts';
import { carryOut, type Workshop } from './carry-out.ts';
import { produceBatch } from './produce-batch.ts';
import type { Product, Work } from './work.ts';

const PROGRESS_EVERY_MS = 1_000;

/**
 * Does what the claimed job asks for and puts what comes out into storage.
 * @param directory for this attempt alone
 */
export async function produce(shop: Workshop, claim: Claim, directory: string): Promise<Product> {
  const model = findModel(shop.operations, claim.operationId);
  if (!model) return { next: 'retry', reason: `${claim.operationId} is not known to this runner` };
  const work = { claim, operation: model.operation, directory, onProgress: progressWriter(shop.ctx, claim) };
  return await (model.isBatch ? produceBatch(shop, work) : produceOne(shop, work));
}

async function produceOne(shop: Workshop, { claim, ...work }: Work): Promise<Product> {
  const { id: jobId, params, facts, files } = claim;
  const input = files.find(({ role }) => role === 'input');
  if (!input) throw new Error('the job has no input');
  const attachments = files.filter(({ role }) => role === 'attachment');
  const attachmentKeys = Object.fromEntries(attachments.map(({ name, key }) => [name, key]));
  return await carryOut(shop, { ...work, jobId, params, facts, inputKey: input.key, attachmentKeys });
}

function progressWriter(ctx: Context, claim: Claim): (fraction: number) => void {
  let writtenAtMs = Date.now();
  return (fraction) => {
    if (Date.now() - writtenAtMs < PROGRESS_EVERY_MS) return;
    writtenAtMs = Date.now();
    reportProgress(ctx.db, claim, fraction).catch((err) => ctx.log.warn({ err }, 'progress was not noted'));
  };
}
