import { sign } from 'node:crypto';
import type { Db } from '../../base/database/db.ts';
import { getReceiptKey } from './receipt-keys.ts';

/** File of a job, as its receipt names it. */
export interface ReceiptFile {
  readonly name: string;
  /** In hex. */
  readonly sha256: string;
  readonly bytes: number;
}

/** Statement of what a job did. */
export interface Receipt {
  readonly request_id: string;
  readonly model_id: string;
  readonly engine: string | null;
  readonly weights: readonly { readonly id: string; readonly sha256: string }[];
  readonly params: unknown;
  readonly inputs: readonly ReceiptFile[];
  readonly outputs: readonly ReceiptFile[];
  readonly charged_usd: string;
  /** ISO 8601 */
  readonly created_at: string;
  /** ISO 8601 */
  readonly completed_at: string;
  /** Present for a run on a machine of the account: engine, weights and outputs are what that machine reported. */
  readonly run_on?: 'own';
}

export type SignReceipt = (receipt: Receipt) => string;

/** Returns what signs receipts, as compact JWS (RFC 7515) by Ed25519 (RFC 8037). It needs the database no more. */
export async function createReceiptSigner(db: Db): Promise<SignReceipt> {
  const { privateKey, publicKey } = await getReceiptKey(db);
  const header = encode({ alg: publicKey.alg, kid: publicKey.kid });
  return (receipt) => {
    const signed = `${header}.${encode(receipt)}`;
    return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;
  };
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
