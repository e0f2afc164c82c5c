import {
  ChartColumn,
  CircleUser,
  CreditCard,
  HeartPulse,
  KeyRound,
  List,
  ListChecks,
  type LucideIcon,
  ReceiptText,
  ScrollText,
  Users,
  Wallet,
  Webhook,
} from 'lucide-react';
import type { Permission } from '../../../server/api/trpc/router.ts';

/** Page of the dashboard. */
export interface DashboardPage {
  readonly href: string;
  readonly name: string;
  readonly icon: LucideIcon;
  /** Permission that a role needs to open it; `service`: only the owner of the service may. */
  readonly permission: Permission | 'service';
  /** Path whose pages belong to it, too. */
  readonly below?: string;
  /** Page that leads to it. The navigation does where absent. */
  readonly within?: string;
}

export const DASHBOARD_PAGES: readonly DashboardPage[] = [
  { href: '/dashboard', name: 'Wallet', icon: Wallet, permission: 'account.see' },
  {
    href: '/dashboard/top-up',
    name: 'Top up',
    icon: CreditCard,
    permission: 'money.see',
    within: '/dashboard',
  },
  { href: '/dashboard/usage', name: 'Usage', icon: ChartColumn, permission: 'account.see' },
  {
    href: '/dashboard/statements',
    name: 'Statements',
    icon: ReceiptText,
    permission: 'money.see',
    below: '/dashboard/receipts',
  },
  { href: '/dashboard/jobs', name: 'Jobs', icon: List, permission: 'jobs.see' },
  { href: '/dashboard/requests', name: 'Requests', icon: ScrollText, permission: 'jobs.see' },
  { href: '/dashboard/recipes', name: 'Recipes', icon: ListChecks, permission: 'account.see' },
  { href: '/dashboard/keys', name: 'Keys', icon: KeyRound, permission: 'keys.see' },
  { href: '/dashboard/webhooks', name: 'Webhooks', icon: Webhook, permission: 'webhooks.see' },
  { href: '/dashboard/team', name: 'Team', icon: Users, permission: 'account.see' },
  { href: '/dashboard/account', name: 'Account', icon: CircleUser, permission: 'account.see' },
  { href: '/dashboard/health', name: 'Health', icon: HeartPulse, permission: 'service' },
];

/** Returns the page of the navigation that a path belongs to; the wallet for an unknown one. */
export function findDashboardPage(path: string): DashboardPage {
  const isWithin = (href: string) => path === href || path.startsWith(`${href}/`);
  const [wallet, ...others] = DASHBOARD_PAGES;
  const found = others.find(({ href, below }) => isWithin(href) || (below !== undefined && isWithin(below)));
  const page = found ?? wallet;
  if (!page) throw new Error('the dashboard has no pages');
  return page;
}
