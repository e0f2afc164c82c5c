import type { Metadata } from 'next';
import { Deliveries } from '../parts/deliveries.tsx';
import { TestEvent, WebhookSecrets } from '../parts/webhook-secrets.tsx';

export const metadata: Metadata = { title: 'Webhooks', robots: 'noindex' };

export default function WebhooksPage() {
  return (
    <>
      <h1>Webhooks</h1>
      <WebhookSecrets />
      <TestEvent />
      <Deliveries />
    </>
  );
}
