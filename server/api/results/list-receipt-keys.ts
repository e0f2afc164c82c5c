import type { Context } from '../../base/context/context.ts';
import { listPublicKeys } from '../../money/receipts/index.ts';
import { jsonResponse } from '../transport/problem.ts';

/** Path of the keys that sign receipts, below the origin and below `/api`. */
export const RECEIPT_KEYS_PATH = '/.well-known/jwks.json';
/** Verifiers may keep the keys so long: a new one signs earlier, so they look again for one that they do not know. */
const CACHE_SECONDS = 300;

/** Reports whether a request of this target asks for the keys of receipts. */
export function isReceiptKeysTarget(target: string): boolean {
  return target === RECEIPT_KEYS_PATH || target.startsWith(`${RECEIPT_KEYS_PATH}?`);
}

/** Handles GET /.well-known/jwks.json: a JSON Web Key Set (RFC 7517, section 5). */
export async function listReceiptKeys(ctx: Context): Promise<Response> {
  const keys = await listPublicKeys(ctx.db);
  return jsonResponse(200, { keys }, { 'cache-control': `public, max-age=${CACHE_SECONDS}` });
}
