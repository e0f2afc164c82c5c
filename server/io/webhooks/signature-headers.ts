import { createHmac } from 'node:crypto';

/**
 * Builds the headers of Standard Webhooks (https://www.standardwebhooks.com): one signature per valid secret, so that
 * a receiver may hold the old or the new one during rotation.
 * @param secrets `whsec_` and base64
 */
export function createSignatureHeaders(
  message: { readonly id: string; readonly at: Date; readonly body: string },
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = Math.floor(message.at.getTime() / 1000);
  const signed = `${message.id}.${timestamp}.${message.body}`;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  });
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
