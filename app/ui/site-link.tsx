'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import type { ComponentProps } from 'react';
import { isIsolated } from '../security/isolation.ts';

type SiteLinkProps = Pick<
  ComponentProps<typeof Link>,
  'children' | 'className' | 'title' | 'aria-label' | 'aria-current' | 'onPointerEnter' | 'onFocus'
> & { readonly href: string; readonly 'data-known'?: boolean };

/**
 * Links to a page of this site. Between isolated and open pages the browser loads the page whole: a soft navigation
 * keeps the isolation of the page that it leaves.
 */
export function SiteLink({ href, ...rest }: SiteLinkProps) {
  const isSoft = isIsolated(usePathname()) === isIsolated(href);
  return isSoft ? <Link href={href} {...rest} /> : <a href={href} {...rest} />;
}
