'use client';

import { ChevronDown, Menu, X } from 'lucide-react';
import type { KeyboardEvent, MouseEvent } from 'react';
import { WorkOffline } from '../offline/work-offline.tsx';
import { groupTools, TOOL_LIST } from '../studio/tools/tools.ts';
import { useMenu } from '../ui/use-menu.ts';
import navStyles from './main-nav.module.css';
import { PagesGroup, ToolsGroup } from './menu-groups.tsx';
import { nextLink } from './menu-keys.ts';
import styles from './tools-menu.module.css';

const ICON = { size: 16, strokeWidth: 1.5, 'aria-hidden': true } as const;
const GROUPS = groupTools();

/** All tools in a sheet under the header; on phones a full screen, with every other page below them. */
export function ToolsMenu({ path }: { readonly path: string }) {
  const { menu, isOpen, onToggle } = useMenu();
  const isToolPage = TOOL_LIST.some(({ slug }) => path === `/${slug}`);
  const OpenOrClose = isOpen ? X : Menu;
  return (
    <details
      ref={menu}
      className={styles.menu}
      onToggle={onToggle}
      onKeyDown={moveFocus}
      onClick={closeAfterLink}
    >
      <summary className={navStyles.way} aria-current={isToolPage || undefined}>
        <span className={styles.word}>
          Tools <ChevronDown {...ICON} className={styles.chevron} />
        </span>
        <span className={styles.phone}>
          <span className="sr-only">Menu</span>
          <OpenOrClose {...ICON} size={20} />
        </span>
      </summary>
      <div className={styles.sheet}>
        <div className={styles.groups}>
          {GROUPS.map((group) => (
            <ToolsGroup key={group.medium} group={group} path={path} isOpen={isOpen} />
          ))}
          <PagesGroup path={path} />
        </div>
        <div className={styles.foot}>
          <p>Free on this device.</p>
          {isOpen && <WorkOffline />}
        </div>
      </div>
    </details>
  );
}

function moveFocus(event: KeyboardEvent<HTMLDetailsElement>): void {
  const { currentTarget: menu, key } = event;
  if (key === 'ArrowDown') menu.open = true;
  const next = nextLink(shownLinks(menu), document.activeElement, key);
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

/** Returns the links of each group, without those that this width hides. */
function shownLinks(menu: HTMLElement): HTMLElement[][] {
  return [...menu.querySelectorAll('section')].map((section) =>
    [...section.querySelectorAll('a')].filter((link) => link.getClientRects().length > 0),
  );
}

/** Closes the menu when a link is followed: the header stays while the page changes. */
function closeAfterLink({ currentTarget, target }: MouseEvent<HTMLDetailsElement>): void {
  if ((target as Element).closest('a')) currentTarget.open = false;
}
