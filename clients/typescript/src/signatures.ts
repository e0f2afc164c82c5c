import { InvalidArgumentError } from './errors.ts';
import type { WebhookEvent } from './types.ts';

/** File that a receipt names. */
export interface ReceiptFile {
  readonly name: string;
  /** In hex. */
  readonly sha256: string;
  readonly bytes: number;
}

/** Signed statement of what a job did. */
export interface Receipt {
  /** URL of the service that has signed it. */
  readonly iss: string;
  /** Present for a job of a test key: nothing ran, and nothing was charged. */
  readonly test?: true;
  readonly request_id: string;
  readonly model_id: string;
  readonly engine: string | null;
  /** Files of weights that ran, with their SHA-256 in hex. */
  readonly weights: readonly { readonly id: string; readonly sha256: string }[];
  readonly params: unknown;
  readonly inputs: readonly ReceiptFile[];
  readonly outputs: readonly ReceiptFile[];
  readonly charged_usd: string;
  readonly created_at: string;
  readonly completed_at: string;
  /** Present where a machine of the account ran the job, and reported engine, weights and outputs. */
  readonly run_on?: 'own';
}

/** JSON Web Key Set of the service, from `/.well-known/jwks.json`. */
export interface ReceiptKeys {
  readonly keys: readonly {
    readonly kty?: string | undefined;
    readonly crv?: string | undefined;
    readonly kid?: string | undefined;
    readonly x?: string | undefined;
  }[];
}

/** Refusal of a receipt: its signature is not that of the service, or it does not name the file. */
export class ReceiptError extends Error {
  override readonly name = 'ReceiptError';
}

/** Type in the header of a receipt. Those of earlier versions have none. */
const TYPE = 'darkroom-receipt+jwt';

/**
 * Checks a receipt: a compact JWS (RFC 7515) signed by Ed25519 (RFC 8037). It needs no network.
 * @param keys those of the service, as fetched from `/.well-known/jwks.json` once
 * @throws ReceiptError when none of the keys has signed it
 */
export async function verifyReceipt(receipt: string, keys: ReceiptKeys): Promise<Receipt> {
  const [head = '', body = '', signature = '', ...more] = receipt.trim().split('.');
  const { alg, kid, typ = TYPE, crit } = parsePart(head) as Record<string, unknown>;
  // A receipt has no extension that a verifier would have to understand (RFC 7515, section 4.1.11).
  if (more.length > 0 || alg !== 'EdDSA' || typ !== TYPE || crit !== undefined) {
    throw new ReceiptError('This is not a receipt.');
  }
  const key = keys.keys.find((each) => each.kid === kid && each.kty === 'OKP' && each.crv === 'Ed25519');
  if (key?.x === undefined)
    throw new ReceiptError('The keys do not contain the one that signed the receipt.');
  const signed = new TextEncoder().encode(`${head}.${body}`);
  if (!(await isSignedBy(key.x, fromBase64Url(signature), signed))) {
    throw new ReceiptError('The signature of the receipt is wrong: the receipt was changed.');
  }
  return parsePart(body) as Receipt;
}

/**
 * Finds a file in a receipt by its bytes.
 * @param sha256 in hex
 * @throws ReceiptError when the receipt does not name it
 */
export function findReceiptFile(
  { inputs, outputs }: Pick<Receipt, 'inputs' | 'outputs'>,
  sha256: string,
): { readonly role: 'input' | 'output'; readonly file: ReceiptFile } {
  for (const [role, files] of [
    ['output', outputs],
    ['input', inputs],
  ] as const) {
    const file = files.find((each) => each.sha256 === sha256.toLowerCase());
    if (file) return { role, file };
  }
  throw new ReceiptError('The receipt does not name this file: the file is another one, or was changed.');
}

async function isSignedBy(
  x: string,
  signature: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  try {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x };
    const key = await crypto.subtle.importKey('jwk', jwk, { name: 'Ed25519' }, false, ['verify']);
    return await crypto.subtle.verify({ name: 'Ed25519' }, key, signature, signed);
  } catch (cause) {
    throw new ReceiptError('The key of the receipt cannot be read here.', { cause });
  }
}

/** Parses the JSON of a part of a JWS. @throws ReceiptError for anything else */
function parsePart(part: string): object {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(fromBase64Url(part)));
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Reported below.
  }
  throw new ReceiptError('This is not a receipt.');
}

/** Decodes base64url as a JWS has it: without padding, and written in the only way. Other texts have no bytes. */
function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const bytes = fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'));
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  const canonical = btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  return canonical === text ? bytes : new Uint8Array(0);
}

const SECONDS_MAX = 300;

/** Refusal of a webhook: its signature is not that of the account, or it is too old. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

/**
 * Checks a webhook by Standard Webhooks (https://www.standardwebhooks.com).
 * @param body the bytes as they arrived, as text: parsed and serialised again they would differ
 * @param secret `whsec_` and base64
 * @returns the ended job, or an event of the account, which has a `type`
 * @throws WebhookError when the signature is wrong, or older or newer than five minutes; InvalidArgumentError for another
 *   secret
 */
export async function verifyWebhook(body: string, headers: Headers, secret: string): Promise<WebhookEvent> {
  const keyBytes = fromBase64(secret.replace(/^whsec_/, ''));
  if (keyBytes.length === 0) {
    // Everyone can sign with an empty key.
    throw new InvalidArgumentError('secret: must be whsec_ and base64, as the service shows it.');
  }
  const id = headers.get('webhook-id') ?? '';
  const timestamp = headers.get('webhook-timestamp') ?? '';
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (timestamp === '' || !(ageSeconds <= SECONDS_MAX)) throw new WebhookError('The webhook is too old.');
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', keyBytes, algorithm, false, ['verify']);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const signature of (headers.get('webhook-signature') ?? '').split(' ')) {
    const [version, text = ''] = signature.split(',');
    if (version === 'v1' && (await crypto.subtle.verify('HMAC', key, fromBase64(text), signed)))
      return JSON.parse(body) as WebhookEvent;
  }
  throw new WebhookError('The webhook has no valid signature.');
}

/** Decodes base64; returns no bytes for any other text, which no signature fits. */
function fromBase64(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array(0);
  }
}
