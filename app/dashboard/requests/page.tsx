import type { Metadata } from 'next';
import { openPage } from '../parts/find-own-account.ts';
import { Requests } from './requests.tsx';

export const metadata: Metadata = { title: 'Requests', robots: 'noindex' };

export default async function RequestsPage() {
  const { ctx } = await openPage('/dashboard/requests');
  return (
    <>
      <h1>Requests</h1>
      <Requests keptDays={ctx.env.REQUEST_LOG_DAYS} />
    </>
  );
}
