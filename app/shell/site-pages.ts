import { BookOpen, History, ListChecks, type LucideIcon, Receipt, Settings2 } from 'lucide-react';

/** Sentence on what the product does, for home screens and other sites. */
export const SUMMARY =
  'Convert, cut out, upscale, extend and check images, find speakers and split songs, on your own device.';

/** Page besides the tools. */
export interface SitePage {
  readonly href: string;
  /** Name in every link: the page's own heading. */
  readonly name: string;
  readonly icon: LucideIcon;
}

/** Pages that the header names next to the tools. */
export const NAMED_PAGES: readonly SitePage[] = [
  { href: '/recipes', name: 'Recipes', icon: ListChecks },
  { href: '/recent', name: 'Recent', icon: History },
  { href: '/docs', name: 'Docs', icon: BookOpen },
  { href: '/#prices', name: 'Prices', icon: Receipt },
];

/** Pages that the header shows as icons. */
export const ICON_PAGES: readonly SitePage[] = [{ href: '/settings', name: 'Settings', icon: Settings2 }];

/** Pages that only the footer names. */
export const FOOTER_PAGES: readonly Pick<SitePage, 'href' | 'name'>[] = [
  { href: '/status', name: 'Status' },
  { href: '/quality', name: 'Quality' },
  { href: '/security', name: 'Security' },
];

/** Returns the value for `aria-current` of a link: true on the pages below its own. */
export function currentPage(href: string, path: string): 'page' | true | undefined {
  if (href === path) return 'page';
  return path.startsWith(`${href}/`) ? true : undefined;
}
