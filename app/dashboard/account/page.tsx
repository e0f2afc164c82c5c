import type { Metadata } from 'next';
import { AccountSettings } from './account-settings.tsx';
import { Activity } from './activity.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { Passkeys } from './passkeys.tsx';
import { Sessions } from './sessions.tsx';

export const metadata: Metadata = { title: 'Account', robots: 'noindex' };

export default function AccountPage() {
  return (
    <>
      <h1>Account</h1>
      <AccountSettings />
      <Passkeys />
      <Sessions />
      <Activity />
      <DeleteAccount />
    </>
  );
}
