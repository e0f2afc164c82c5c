import {
  ChartColumn,
  CircleUser,
  CreditCard,
  HeartPulse,
  KeyRound,
  List,
  type LucideIcon,
  ReceiptText,
  Wallet,
  Webhook,
} from 'lucide-react';

/** Page of the dashboard. */
export interface DashboardPage {
  readonly href: string;
  readonly name: string;
  readonly icon: LucideIcon;
  /** Whether only the owner of the service sees it. */
  readonly isServiceOwners?: boolean;
}

export const DASHBOARD_PAGES: readonly DashboardPage[] = [
  { href: '/dashboard', name: 'Wallet', icon: Wallet },
  { href: '/dashboard/top-up', name: 'Top up', icon: CreditCard },
  { href: '/dashboard/usage', name: 'Usage', icon: ChartColumn },
  { href: '/dashboard/statements', name: 'Statements', icon: ReceiptText },
  { href: '/dashboard/jobs', name: 'Jobs', icon: List },
  { href: '/dashboard/keys', name: 'Keys', icon: KeyRound },
  { href: '/dashboard/webhooks', name: 'Webhooks', icon: Webhook },
  { href: '/dashboard/account', name: 'Account', icon: CircleUser },
  { href: '/dashboard/health', name: 'Health', icon: HeartPulse, isServiceOwners: true },
];
