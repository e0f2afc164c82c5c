import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedWebhook {
  readonly headers: Record<string, string>;
  readonly body: string;
}

export interface WebhookReceiver {
  readonly url: string;
  readonly received: readonly ReceivedWebhook[];
  /**
   * Waits until so many have arrived.
   * @throws after 20 s
   */
  until(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts a loopback receiver that responds 204 and records all requests. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([k, v]) => [k, String(v)]));
      received.push({ headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    async until(count) {
      for (const endMs = Date.now() + 20_000; Date.now() < endMs; ) {
        if (received.length >= count) return;
        await new Promise((next) => setTimeout(next, 50));
      }
      throw new Error(`${received.length} of ${count} webhooks came`);
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
