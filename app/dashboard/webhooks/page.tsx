import type { Metadata } from 'next';
import { Deliveries } from './deliveries.tsx';
import { TestEvent, WebhookSecrets } from './webhook-secrets.tsx';

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
