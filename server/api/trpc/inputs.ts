import { z } from 'zod';
import { JOB_STATUSES } from '../../../models/core/operation/job.ts';
import { MODEL_IDS, OPERATION_IDS } from '../../../models/registry.ts';
import { isRecent, SINCE } from '../../base/periods.ts';
import { ROLES } from '../../base/permissions.ts';
import { STATUS_CLASSES } from '../../identity/request-log/index.ts';

/** Inputs of the dashboard's calls: its forms and the server check by the same schemas. */

/** Decimal amount of US dollars with at most 6 decimals, above 0. */
export const usdAmount = z
  .string()
  .trim()
  .regex(/^\d{1,9}(\.\d{1,6})?$/, 'must be an amount in US dollars, such as 5 or 0.50.')
  .refine((text) => Number(text) > 0, 'must be above 0.');

/** Most that one top-up may credit, in US dollars. */
export const TOP_UP_USD_MAX = 1_000;

export const topUpInput = z.strictObject({
  amountUsd: usdAmount.refine(
    (text) => Number(text) <= TOP_UP_USD_MAX,
    `must be at most ${TOP_UP_USD_MAX} US dollars.`,
  ),
  /** Made by the page for each press, so that a repeated request credits once. */
  idempotencyKey: z.uuid(),
});

export const checkoutInput = z.strictObject({
  amountUsd: usdAmount,
  /** Saves the payment method: it pays `amountUsd` again whenever less than this is available. */
  automaticBelowUsd: usdAmount.optional(),
  /** Made by the page for each press, so that a repeated request opens one checkout. */
  idempotencyKey: z.uuid(),
});

const cursor = z.string().max(200).nullish();
const limit = z.number().int().min(1).max(100).default(25);

/** Entries to leave out of a ledger. */
export const ledgerFilter = z.object({
  only: z.enum(['credits', 'charges']).optional(),
  /** Only charges of this operation, its batches included. */
  operation: z.enum(OPERATION_IDS).optional(),
});

// The client adds to the input of an endless list which way it goes: other fields are left out, not refused.
export const ledgerInput = z.object({
  ...ledgerFilter.shape,
  cursor,
  limit,
});

const moment = z.iso
  .datetime()
  .refine(isRecent, SINCE)
  .transform((text) => new Date(text));

export const jobsInput = z.object({
  statuses: z.array(z.enum(JOB_STATUSES)).min(1).max(JOB_STATUSES.length).optional(),
  modelId: z.string().max(100).optional(),
  /** A request_id, a reference or `key=value` of metadata, whole. */
  search: z.string().min(1).max(600).optional(),
  /** Earliest time of the request, included. */
  from: moment.optional(),
  /** Latest time of the request, excluded. */
  to: moment.optional(),
  cursor,
  limit,
});

/** Methods of the API, and the classes of statuses, by which the log of requests is filtered. */
export const requestsInput = z.object({
  statusClass: z.enum(STATUS_CLASSES).optional(),
  method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
  /** A request id or the id of a job, whole, or a part of the path. */
  search: z.string().min(1).max(600).optional(),
  /** Earliest time of the request, included. */
  from: moment.optional(),
  /** Latest time of the request, excluded. */
  to: moment.optional(),
  cursor,
  limit,
});

export const requestInput = z.strictObject({
  id: z.string().regex(/^\d{1,18}$/, 'is not the id of a request.'),
});

export const jobInput = z.strictObject({ id: z.string().min(1).max(200) });

export const uploadsInput = z.object({ cursor, limit });
export const uploadInput = z.strictObject({ uploadId: z.string().min(1).max(100) });

/** Jobs of which a list shows the results in small. */
export const previewsInput = z.strictObject({ ids: z.array(jobInput.shape.id).max(100) });

export const rerunInput = z.strictObject({
  id: jobInput.shape.id,
  /** Price that the page showed. */
  priceUsd: z.string().max(30),
  /** Made by the page for each press, so that a repeated request makes one job. */
  idempotencyKey: z.uuid(),
});

/** Monthly cap of the account; null: none. */
export const accountCapInput = z.strictObject({ amountUsd: usdAmount.nullable() });

const day = z.iso.date().refine(isRecent, SINCE);
export const usageInput = z.strictObject({ from: day, to: day });

export const newKeyInput = z.strictObject({
  name: z.string().trim().min(1, 'must not be empty.').max(100),
  /** Every operation when absent. */
  operations: z.array(z.enum(MODEL_IDS)).min(1).optional(),
  monthlyCapUsd: usdAmount.optional(),
  expiresAt: z.iso.datetime().optional(),
});

/** Hours that a replaced key or secret works on. */
const graceHours = z.number().min(0).max(168).default(24);

export const keyInput = z.strictObject({ keyId: z.uuid() });
export const tokenInput = z.strictObject({ tokenId: z.uuid() });
export const rotateKeyInput = z.strictObject({ keyId: z.uuid(), graceHours });
export const rotateSecretInput = z.strictObject({ graceHours });
export const deliveriesInput = z.object({ cursor, limit });
export const deliveryInput = z.strictObject({ deliveryId: z.uuid() });
const receiverUrl = z.url({ protocol: /^https?$/ }).max(2000);
export const testEventInput = z.strictObject({ url: receiverUrl });
/** Event address of the account; null: none. */
export const eventUrlInput = z.strictObject({ url: receiverUrl.nullable() });
export const activityInput = z.object({
  cursor: z
    .string()
    .regex(/^\d{1,18}$/)
    .nullish(),
  limit,
  /** Person whose actions are listed; everybody's when absent. */
  userId: z.uuid().optional(),
});
export const deleteAccountInput = z.strictObject({
  email: z.string().max(254),
  password: z.string().max(128),
});

const role = z.enum(ROLES);
export const invitationInput = z.strictObject({
  email: z.string().trim().max(254).pipe(z.email('is not an e-mail address.')),
  role,
});
export const invitationIdInput = z.strictObject({ id: z.uuid() });
export const roleInput = z.strictObject({ userId: z.uuid(), role });
/** Member who is removed, and what becomes of the keys that the member has made. */
export const removalInput = z.strictObject({ userId: z.uuid(), keys: z.enum(['revoke', 'keep']).optional() });
export const accountInput = z.strictObject({ accountId: z.uuid() });
/** Token of an invitation's link. */
export const invitationTokenInput = z.strictObject({ token: z.string().max(100) });
