import { expect, test } from 'vitest';
import { appRouter } from '../../../../server/api/trpc/router.ts';
import {
  assertPermitted,
  listPermissions,
  type Permission,
  ROLES,
} from '../../../../server/base/permissions.ts';

/** Permission that each call of the dashboard needs. */
const CALLS: Readonly<Record<string, Permission | 'service'>> = {
  'account.activity': 'account.see',
  'account.actors': 'account.see',
  'account.delete': 'account.change',
  'account.me': 'account.see',
  'health.overview': 'service',
  'jobs.cancel': 'jobs.change',
  'jobs.deleteUpload': 'jobs.change',
  'jobs.get': 'jobs.see',
  'jobs.list': 'jobs.see',
  'jobs.previews': 'jobs.see',
  'jobs.runAgain': 'jobs.change',
  'jobs.uploads': 'jobs.see',
  'jobs.workers': 'jobs.see',
  'keys.create': 'keys.change',
  'keys.endToken': 'keys.change',
  'keys.list': 'keys.see',
  'keys.revoke': 'keys.change',
  'keys.rotate': 'keys.change',
  'keys.tokens': 'keys.see',
  'live.states': 'account.see',
  'payments.automatic': 'money.see',
  'payments.checkout': 'money.change',
  'payments.list': 'money.see',
  'payments.stopAutomatic': 'money.change',
  'requests.get': 'jobs.see',
  'requests.list': 'jobs.see',
  'spending.setCap': 'money.change',
  'spending.setEventUrl': 'money.change',
  'spending.settings': 'account.see',
  'team.accept': 'account.see',
  'team.accounts': 'account.see',
  'team.changeRole': 'members.change',
  'team.invite': 'members.change',
  'team.leave': 'account.see',
  'team.list': 'account.see',
  'team.remove': 'members.change',
  'team.resend': 'members.change',
  'team.revoke': 'members.change',
  'team.switch': 'account.see',
  'usage.spending': 'account.see',
  'wallet.ledger': 'money.see',
  'wallet.summary': 'account.see',
  'wallet.testTopUp': 'money.change',
  'webhooks.deliveries': 'webhooks.see',
  'webhooks.resend': 'webhooks.change',
  'webhooks.rotateSecret': 'webhooks.change',
  'webhooks.secrets': 'webhooks.change',
  'webhooks.sendTest': 'webhooks.change',
};

interface Procedure {
  readonly _def: { readonly meta?: { readonly permission: string } };
}

test('every call of the dashboard names the permission that it needs', () => {
  const procedures: Readonly<Record<string, unknown>> = appRouter._def.procedures;
  const named = Object.entries(procedures).map(([name, procedure]) => [
    name,
    (procedure as Procedure)._def.meta?.permission,
  ]);
  expect(Object.fromEntries(named)).toEqual(CALLS);
});

test('roles have the permissions of the contract', () => {
  const seen: Permission[] = ['account.see', 'jobs.see', 'keys.see', 'webhooks.see'];
  const programs: Permission[] = ['jobs.change', 'keys.change', 'webhooks.change'];
  const sorted = (permissions: readonly Permission[]) => permissions.toSorted();
  const granted = Object.fromEntries(ROLES.map((role) => [role, sorted(listPermissions(role))]));
  expect(granted).toEqual({
    owner: sorted([...seen, ...programs, 'money.see', 'money.change', 'members.change', 'account.change']),
    developer: sorted([...seen, ...programs]),
    billing: sorted(['account.see', 'money.see', 'money.change']),
    read_only: sorted([...seen, 'money.see']),
  });
});

test('a refusal names the roles that may', () => {
  const refused = 'Only the roles owner and developer may create, rotate or revoke keys of this account.';
  expect(() => assertPermitted('read_only', 'keys.change')).toThrow(`${refused} Your role is read only.`);
  expect(() => assertPermitted('billing', 'members.change')).toThrow('Only the role owner may');
});
