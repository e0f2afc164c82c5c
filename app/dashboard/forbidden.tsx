import { headers } from 'next/headers';
import Link from 'next/link';
import { describeRefusal } from '../../server/base/permissions.ts';
import { PAGE_PATH } from '../account/next-page.ts';
import { findDashboardPage } from './parts/dashboard-pages.ts';
import { findOwnAccount } from './parts/find-own-account.ts';

/** Says which roles may see the page that was asked for. */
export default async function ForbiddenPage() {
  const { visitor } = await findOwnAccount();
  const [path = ''] = ((await headers()).get(PAGE_PATH) ?? '').split('?');
  const { name, permission } = findDashboardPage(path);
  return (
    <>
      <h1>{name}</h1>
      {permission !== 'service' && <p role="alert">{describeRefusal(visitor.role, permission)}</p>}
      <p>
        <Link href="/dashboard/team">See who is an owner</Link>
      </p>
    </>
  );
}
