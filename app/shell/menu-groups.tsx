import { typicalSeconds } from '../studio/run-times/run-times.ts';
import { useRunTimes } from '../studio/run-times/stored-run-times.ts';
import type { Tool } from '../studio/tools/tool.ts';
import { ToolLink } from '../studio/tools/tool-link.tsx';
import type { ToolGroup } from '../studio/tools/tools.ts';
import { formatSeconds } from '../ui/quantities.ts';
import { SiteLink } from '../ui/site-link.tsx';
import { currentPage, ICON_PAGES, NAMED_PAGES } from './site-pages.ts';
import styles from './tools-menu.module.css';

const ICON = { size: 20, strokeWidth: 1.5, 'aria-hidden': true } as const;

interface ToolsGroupProps {
  readonly group: ToolGroup;
  readonly path: string;
  /** Times are read when the menu opens: a run since then may have changed them. */
  readonly isOpen: boolean;
}

/** Links to the tools of one medium, each with its usual time on this device. */
export function ToolsGroup({ group, path, isOpen }: ToolsGroupProps) {
  const { medium, title, tools } = group;
  return (
    <section aria-labelledby={`tools-${medium}`}>
      <h2 id={`tools-${medium}`}>{title}</h2>
      <ul>
        {tools.map((tool) => (
          <li key={tool.slug}>
            <ToolLink
              slug={tool.slug}
              operationId={tool.operationId}
              aria-current={currentPage(`/${tool.slug}`, path)}
            >
              <tool.icon {...ICON} />
              <b>{tool.name}</b>
              {isOpen && <DeviceTimeEstimate tool={tool} />}
              <small>{tool.brief}</small>
            </ToolLink>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Shows the usual time of a file on this device, once there are enough runs. */
function DeviceTimeEstimate({ tool }: { readonly tool: Tool }) {
  const times = useRunTimes(tool.operationId);
  const usual = times && typicalSeconds(times);
  return usual !== undefined && <em className="facts">here {formatSeconds(usual)}</em>;
}

/** Links to every other page, for phones. */
export function PagesGroup({ path }: { readonly path: string }) {
  return (
    <section className={styles.phone} aria-label="More pages">
      <ul>
        {[...NAMED_PAGES, ...ICON_PAGES].map(({ href, name, icon: Icon }) => (
          <li key={href}>
            <SiteLink href={href} aria-current={currentPage(href, path)}>
              <Icon {...ICON} />
              <b>{name}</b>
            </SiteLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
