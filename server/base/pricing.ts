import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { buildOnce } from '../../models/core/build-once.ts';
import type { Operation } from '../../models/core/operation/define-operation.ts';
import { getMessage } from '../../models/core/operation/errors.ts';
import { type MicroUsd, parseUsd } from '../../models/core/operation/money.ts';
import { describeIssue } from '../../models/core/operation/params.ts';
import { OPERATIONS, type OperationId } from '../../models/registry.ts';

/** Amount in US dollars up to which a price or credit is no slip of the pen. */
const USD_MAX = 1000;

/** Settings of the environment that the file may hold, too: what accounts and addresses may occupy. */
const LIMITS = [
  'ACCOUNT_REQUESTS_MAX',
  'ACCOUNT_RECEIVING_MB',
  'ACCOUNT_FETCHED_MB',
  'ACCOUNT_UPLOADS_MAX',
  'ACCOUNT_UPLOADS_MB',
  'ACCOUNT_STORAGE_GB',
  'CONNECTIONS_PER_ADDRESS',
  'FAILURES_PER_HOUR',
  'JOB_RETENTION_DAYS',
  'LINKS_MB',
  'RATE_LIMIT_BURST',
  'RATE_LIMIT_PER_SECOND',
  'RECEIVING_MB',
  'RESULT_TTL_HOURS',
] as const;

const usdFrom = (least: string) =>
  z.union([z.string(), z.number()]).transform((amount, context): MicroUsd => {
    try {
      const parsed = parseUsd(String(amount));
      if (parsed >= parseUsd(least) && parsed <= parseUsd(String(USD_MAX))) return parsed;
    } catch {
      // The message below says what is allowed.
    }
    context.addIssue(
      `must be an amount in US dollars from ${least} to ${USD_MAX} with at most 6 decimals, such as "0.002"`,
    );
    return z.NEVER;
  });

/** No price is 0: what costs a client nothing could not be bounded by its wallet. */
const price = usdFrom('0.000001');

/** Prices by operation and unit, as the price list names them. */
const prices = named(
  Object.fromEntries(
    Object.values(OPERATIONS)
      .filter(({ id }) => id !== OPERATIONS.pipeline.id)
      .map(({ id, rates }) => [
        id,
        named(Object.fromEntries(Object.keys(rates).map((unit) => [unit, price.optional()]))).optional(),
      ]),
  ),
);

const schema = named({
  prices: prices.default({}),
  limits: named(Object.fromEntries(LIMITS.map((name) => [name, z.number().optional()]))).default({}),
  free_credit_usd: usdFrom('0').default(0n),
});

/** Terms of a service: its prices, limits and free credit. */
export interface Pricing {
  /** Prices by operation and unit that replace those of the operation. */
  readonly prices: Readonly<Partial<Record<OperationId, Readonly<Record<string, MicroUsd>>>>>;
  /** Settings of the environment that it does not set. */
  readonly limits: Readonly<Record<string, number>>;
  /** Credit of a new account whose e-mail address is known to be its owner's. */
  readonly freeCredit: MicroUsd;
}

export const DEFAULT_PRICING: Pricing = { prices: {}, limits: {}, freeCredit: 0n };

/**
 * Reads the terms from a JSON file.
 * @throws Error naming the file and each wrong value in it
 */
export function readPricingFile(path: string): Pricing {
  const result = schema.safeParse(parseJson(path), { reportInput: true });
  if (!result.success) {
    const faults = result.error.issues.map((issue) =>
      issue.code === 'unrecognized_keys'
        ? `${issue.path.join('.') || 'terms'}: ${issue.message}`
        : describeIssue(issue),
    );
    throw new Error(`TERMS_FILE: ${path} is not valid.\n${faults.join('\n')}`);
  }
  const { free_credit_usd: freeCredit, ...rest } = result.data;
  return { ...(rest as Pick<Pricing, 'prices' | 'limits'>), freeCredit };
}

function parseJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (err) {
    throw new Error(`TERMS_FILE: ${path} cannot be read as JSON: ${getMessage(err)}`);
  }
}

/** Makes the schema of an object whose message about another name lists those that are allowed. */
function named<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: ({ code, keys }) =>
      code === 'unrecognized_keys'
        ? `unknown: ${keys.join(', ')}. Allowed: ${Object.keys(shape).join(', ')}.`
        : undefined,
  });
}

/** Returns the operations with the prices of the terms, the same ones for the same terms. */
export const applyPricing = buildOnce(({ prices }: Pricing): typeof OPERATIONS => {
  // A pipeline has the prices of its steps.
  const ofSteps = Object.entries(prices).flatMap(([id, units]) =>
    Object.entries(units ?? {}).map(([unit, amount]) => [`${id}.${unit}`, amount] as const),
  );
  const priced = Object.values<Operation>(OPERATIONS).map((operation) => [
    operation.id,
    operation.priced(
      operation.id === OPERATIONS.pipeline.id
        ? Object.fromEntries(ofSteps)
        : (prices[operation.id as keyof typeof prices] ?? {}),
    ),
  ]);
  return Object.fromEntries(priced) as typeof OPERATIONS;
});
