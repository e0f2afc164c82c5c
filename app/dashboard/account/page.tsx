import type { Metadata } from 'next';
import { AccountSettings } from '../parts/account-settings.tsx';
import { Activity } from '../parts/activity.tsx';
import { DeleteAccount } from '../parts/delete-account.tsx';
import { Passkeys } from '../parts/passkeys.tsx';
import { Sessions } from '../parts/sessions.tsx';

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
