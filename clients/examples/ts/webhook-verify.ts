import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { verifyWebhook, WebhookError } from '@darkroom/client';

createServer(async (request, response) => {
  const headers = new Headers(
    request.headers as Record<string, string>,
  );
  try {
    // The bytes as they arrived: JSON that is written again would differ.
    const body = await text(request);
    const event = await verifyWebhook(
      body,
      headers,
      process.env.WEBHOOK_SECRET ?? '',
    );
    if ('type' in event) console.log(event.type, event.share);
    else console.log(event.request_id, event.status);
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(error instanceof WebhookError ? 401 : 500).end();
  }
}).listen(Number(process.env.PORT), '127.0.0.1');
