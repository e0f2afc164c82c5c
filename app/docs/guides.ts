/** Page of the docs. */
export interface Guide {
  readonly href: string;
  /** Name in every link, and the page's own heading. */
  readonly name: string;
  readonly brief: string;
}

/** The pages of the docs in reading order, by group. */
export const GUIDE_GROUPS: readonly { readonly title: string; readonly guides: readonly Guide[] }[] = [
  {
    title: 'Start',
    guides: [
      { href: '/docs', name: 'Docs', brief: 'All guides and operations.' },
      { href: '/docs/quickstart', name: 'Quickstart', brief: 'From a key to an image.' },
    ],
  },
  {
    title: 'Requests',
    guides: [
      {
        href: '/docs/keys',
        name: 'Keys and tokens',
        brief: 'Headers, rights, tokens for pages.',
      },
      {
        href: '/docs/jobs',
        name: 'Jobs and polling',
        brief: 'Send, follow, cancel and list requests.',
      },
      { href: '/docs/batches', name: 'Batches', brief: 'Up to 100 requests as one job.' },
      {
        href: '/docs/shop',
        name: 'From a folder of photos to a shop',
        brief: 'One recipe for every photo.',
      },
      { href: '/docs/idempotency', name: 'Idempotency', brief: 'Repeat without paying twice.' },
      { href: '/docs/errors', name: 'Errors', brief: 'Statuses, and what to do.' },
      {
        href: '/docs/test-keys',
        name: 'Test keys',
        brief: 'Try without money, force any outcome.',
      },
    ],
  },
  {
    title: 'Results',
    guides: [
      { href: '/docs/webhooks', name: 'Webhooks', brief: 'Receive each ended job.' },
      { href: '/docs/own-bucket', name: 'Own bucket', brief: 'Results straight to S3, R2 or GCS.' },
      { href: '/docs/receipts', name: 'Receipts', brief: 'Prove what was made.' },
    ],
  },
  {
    title: 'Programs',
    guides: [
      { href: '/docs/clients', name: 'Clients and command', brief: 'TypeScript, Python and a shell.' },
      { href: '/docs/agents', name: 'Agents', brief: 'The operations as tools (MCP).' },
      { href: '/docs/on-device', name: 'On your device', brief: 'The same JSON without our server.' },
      {
        href: '/docs/self-hosted-workers',
        name: 'Self-hosted workers',
        brief: 'Jobs on computers of yours.',
      },
    ],
  },
  {
    title: 'Account',
    guides: [
      { href: '/docs/limits', name: 'Limits and prices', brief: 'What each operation costs and accepts.' },
      { href: '/docs/spending', name: 'Spending', brief: 'Caps, alerts and statements.' },
      { href: '/docs/teams', name: 'Teams', brief: 'Share an account with roles.' },
    ],
  },
  {
    title: 'API',
    guides: [
      { href: '/docs/try', name: 'Try it', brief: 'Send a request from this page.' },
      { href: '/docs/reference', name: 'Reference', brief: 'Every path, field and status.' },
      { href: '/docs/changelog', name: 'Changelog', brief: 'What has changed, with dates.' },
      { href: '/docs/deprecation', name: 'Deprecation', brief: 'How early changes are announced.' },
    ],
  },
  {
    title: 'Your data',
    guides: [
      { href: '/docs/retention', name: 'Retention', brief: 'How long everything is kept.' },
      { href: '/docs/privacy', name: 'Privacy', brief: 'What is stored, and who receives it.' },
      { href: '/docs/data-location', name: 'Data location', brief: 'Where files and records lie.' },
    ],
  },
];

export const GUIDES: readonly Guide[] = GUIDE_GROUPS.flatMap(({ guides }) => guides);

/** Returns the guide at a path. @throws Error for an unknown one */
export function guideAt(href: string): Guide {
  const guide = GUIDES.find((each) => each.href === href);
  if (!guide) throw new Error(`${href} is not a guide`);
  return guide;
}

/** Returns the page that follows in reading order; undefined after the last one. */
export function guideAfter(href: string): Guide | undefined {
  return GUIDES[GUIDES.findIndex((each) => each.href === href) + 1];
}
