import { z } from 'zod';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Context } from '../../base/context.ts';
import { assertDiskNotFull, readDiskState } from '../../base/disk-reserve.ts';
import { listMissingKeys } from '../../base/secrets/index.ts';
import { listProcesses, SILENT_SECONDS_MAX } from '../../jobs/heartbeats.ts';
import { holdsMetricsToken } from '../metrics.ts';
import { describeProblems, describeResponse } from '../openapi-parts.ts';
import { defineRoute } from '../route.ts';
import { jsonResponse } from '../transport/problem.ts';

const healthSchema = z.object({
  status: z.literal('ok').meta({ description: 'Jobs can be accepted.' }),
  warnings: z
    .array(z.enum(['disk', 'secrets_key']))
    .optional()
    .meta({ description: 'What an operator should look at, though the service works.' }),
});

/** 200 once jobs can be accepted: the database responds, the store accepts objects and the disk has room. */
export const getHealth = defineRoute({
  method: 'GET',
  path: '/health',
  docs: {
    operationId: 'getHealth',
    tag: 'service',
    summary: 'Whether the service accepts jobs',
    description:
      'For load balancers: 200 once the database responds, the store accepts objects and the disk has room.',
    responses: {
      '200': describeResponse('The service accepts jobs.', healthSchema),
      ...describeProblems(['too_many_requests', 'unavailable']),
    },
  },
  async handle({ ctx, request }) {
    await assertWorks(ctx);
    const [disk, missing] = await Promise.all([readDiskState(ctx.env), readMissingKeys(ctx)]);
    const warnings = [...(disk === 'low' ? ['disk'] : []), ...(missing.length > 0 ? ['secrets_key'] : [])];
    return jsonResponse(200, {
      status: 'ok',
      ...(warnings.length > 0 && { warnings }),
      ...(holdsMetricsToken(ctx, request) && (await describeForOperators(ctx, missing))),
    });
  },
});

/** 200 as long as this process responds, whatever it depends on: no restart of it would bring a database back. */
export const getLiveness = defineRoute({
  method: 'GET',
  path: '/live',
  audience: 'operators',
  handle: async () => jsonResponse(200, { status: 'ok' }),
});

/** Describes what concerns operators only. The ids reveal nothing of a key. */
async function describeForOperators({ db }: Context, missing: readonly string[]) {
  const processes = await listProcesses(db);
  return {
    missing_keys: missing,
    processes: processes
      .filter(({ silentSeconds }) => silentSeconds <= SILENT_SECONDS_MAX)
      .map(({ part, host, pid, facts }) => ({ part, host, pid, isolation: facts.isolation ?? null })),
  };
}

/** @throws OperationError `unavailable` when jobs cannot be accepted */
async function assertWorks(ctx: Context): Promise<void> {
  try {
    // A tagged statement does not wait for the end of an outage.
    await Promise.all([ctx.db.$client`select 1 from jobs limit 1`, ctx.storage.check()]);
  } catch (cause) {
    throw new OperationError('unavailable', 'The database or the store does not respond.', { cause });
  }
  await assertDiskNotFull(ctx.env);
}

/** Time for which the missing keys are remembered: balancers ask often. */
const KEYS_KEPT_MS = 30_000;

interface MissingKeys {
  readonly ids: Promise<string[]>;
  readonly untilMs: number;
}

const kept = new WeakMap<Context['db'], MissingKeys>();

/** Lists the keys that this process lacks; none where they cannot be read. */
async function readMissingKeys({ db, log }: Context): Promise<string[]> {
  const known = kept.get(db);
  if (known && known.untilMs > performance.now()) return await known.ids;
  const ids = listMissingKeys(db).catch((err: unknown) => {
    log.warn({ err }, 'the keys of secrets could not be compared');
    return [];
  });
  kept.set(db, { ids, untilMs: performance.now() + KEYS_KEPT_MS });
  const missing = await ids;
  if (missing.length > 0) log.error({ missing }, 'this process lacks keys of SECRETS_KEY');
  return missing;
}
