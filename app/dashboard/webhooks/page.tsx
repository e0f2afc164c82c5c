import type { Metadata } from 'next';
import { isPermitted } from '../../../server/base/permissions.ts';
import { openPage } from '../parts/find-own-account.ts';
import { Deliveries } from './deliveries.tsx';
import { TestEvent, WebhookSecrets } from './webhook-secrets.tsx';

export const metadata: Metadata = { title: 'Webhooks', robots: 'noindex' };

export default async function WebhooksPage() {
  const { role } = (await openPage('/dashboard/webhooks')).visitor;
  const canChange = isPermitted(role, 'webhooks.change');
  return (
    <>
      <h1>Webhooks</h1>
      {canChange && (
        <>
          <WebhookSecrets />
          <TestEvent />
        </>
      )}
      <Deliveries />
    </>
  );
}
