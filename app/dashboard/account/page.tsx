import type { Metadata } from 'next';
import { openPage } from '../parts/find-own-account.ts';
import { AccountSettings, DeleteAccount } from './account-settings.tsx';
import { Passkeys } from './passkeys.tsx';
import { Sessions } from './sessions.tsx';

export const metadata: Metadata = { title: 'Account', robots: 'noindex' };

export default async function AccountPage() {
  await openPage('/dashboard/account');
  return (
    <>
      <h1>Account</h1>
      <AccountSettings />
      <Passkeys />
      <Sessions />
      <DeleteAccount />
    </>
  );
}
