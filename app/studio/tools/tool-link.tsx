'use client';

import type { ComponentProps } from 'react';
import { SiteLink } from '../../ui/site-link.tsx';
import { prepareOnApproach } from './prepare-tool.ts';
import type { Tool } from './tool.ts';

interface ToolLinkProps extends Omit<ComponentProps<typeof SiteLink>, 'href'> {
  readonly slug: Tool['slug'];
  readonly operationId: Tool['operationId'];
}

/** Links to the page of a tool, and prepares its run while the visitor reaches for the link. */
export function ToolLink({ slug, operationId, ...rest }: ToolLinkProps) {
  return <SiteLink href={`/${slug}`} {...rest} {...prepareOnApproach(operationId)} />;
}
