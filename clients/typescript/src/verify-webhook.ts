import { fromBase64 } from './base64.ts';
import type { Job } from './types.ts';

const SECONDS_MAX = 300;

/** Refusal of a webhook: its signature is not that of the account, or it is too old. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

/**
 * Checks a webhook by Standard Webhooks (https://www.standardwebhooks.com).
 * @param body the bytes as they arrived, as text: parsed and serialised again they would differ
 * @param secret `whsec_` and base64
 * @returns the ended job
 * @throws WebhookError when the signature is wrong, or older or newer than five minutes
 */
export async function verifyWebhook(body: string, headers: Headers, secret: string): Promise<Job> {
  const id = headers.get('webhook-id') ?? '';
  const timestamp = headers.get('webhook-timestamp') ?? '';
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (timestamp === '' || !(ageSeconds <= SECONDS_MAX)) throw new WebhookError('The webhook is too old.');
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey(
    'raw',
    fromBase64(secret.replace(/^whsec_/, '')),
    algorithm,
    false,
    ['verify'],
  );
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const signature of (headers.get('webhook-signature') ?? '').split(' ')) {
    const [version, text = ''] = signature.split(',');
    if (version === 'v1' && (await crypto.subtle.verify('HMAC', key, fromBase64(text), signed)))
      return JSON.parse(body) as Job;
  }
  throw new WebhookError('The webhook has no valid signature.');
}
