import { z } from 'zod';
import { listPublicKeys } from '../../money/receipts.ts';
import { describeProblems, describeResponse } from '../openapi-parts.ts';
import { defineRoute } from '../route.ts';
import { jsonResponse } from '../transport/problem.ts';

/** Path of the keys that sign receipts, below the origin and below `/api`. */
const RECEIPT_KEYS_PATH = '/.well-known/jwks.json';
/** Verifiers may keep the keys so long: a new one signs earlier, so they look again for one that they do not know. */
const CACHE_SECONDS = 300;

/** Reports whether a request of this target asks for the keys of receipts. */
export function isReceiptKeysTarget(target: string): boolean {
  return target === RECEIPT_KEYS_PATH || target.startsWith(`${RECEIPT_KEYS_PATH}?`);
}

const keySetSchema = z
  .object({
    keys: z
      .array(
        z.object({
          kty: z.literal('OKP').meta({ description: 'Kind of the key.' }),
          crv: z.literal('Ed25519').meta({ description: 'Its curve.' }),
          kid: z.string().meta({ description: 'Id of the key, as in the header of a receipt.' }),
          use: z.literal('sig').meta({ description: 'It signs.' }),
          alg: z.literal('EdDSA').meta({ description: 'Its algorithm.' }),
          x: z.string().meta({ description: 'The public key, in base64url.' }),
        }),
      )
      .meta({ description: 'The newest first.' }),
  })
  .meta({ id: 'ReceiptKeys' });

/** A JSON Web Key Set (RFC 7517, section 5). */
export const listReceiptKeys = defineRoute({
  method: 'GET',
  path: RECEIPT_KEYS_PATH,
  bucket: 'receipt-keys',
  docs: {
    operationId: 'listReceiptKeys',
    tag: 'service',
    summary: 'Keys that sign receipts',
    description:
      'A JSON Web Key Set, below the origin of the service as well: /.well-known/jwks.json. Keys that sign no more stay in it.',
    responses: {
      '200': describeResponse('The keys, the newest first.', keySetSchema),
      ...describeProblems(['internal', 'unavailable', 'too_many_requests']),
    },
  },
  async handle({ ctx }) {
    const keys = await listPublicKeys(ctx.db);
    return jsonResponse(200, { keys }, { 'cache-control': `public, max-age=${CACHE_SECONDS}` });
  },
});
