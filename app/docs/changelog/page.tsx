import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Fragment } from 'react';
import styles from '../docs.module.css';
import { Guide, guideMetadata } from '../guide.tsx';
import { type ChangelogBlock, parseChangelog, parseSpans, splitVersions } from './parse-changelog.ts';

const HREF = '/docs/changelog';

export const metadata = guideMetadata(HREF);

/** `CHANGELOG.md` as a page: the newest version, and earlier ones folded. */
export default async function ChangelogPage() {
  const blocks = parseChangelog(await readFile(join(process.cwd(), 'CHANGELOG.md'), 'utf8'));
  return (
    <Guide href={HREF} lead={<p>What users and operators notice. Changes of the API have their dates.</p>}>
      <div className={styles.prose}>
        {splitVersions(blocks).map(([title, ...others], at) => (
          <details key={title.text} open={at === 0}>
            <summary>
              <h2>{title.text}</h2>
            </summary>
            {others.map((block, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes while it is shown
              <Block key={place} block={block} />
            ))}
          </details>
        ))}
      </div>
    </Guide>
  );
}

function Block({ block }: { readonly block: ChangelogBlock }) {
  switch (block.kind) {
    case 'heading':
      return <h3>{block.text}</h3>;
    case 'list':
      return (
        <ul>
          {block.items.map((item) => (
            <li key={item}>
              <Line text={item} />
            </li>
          ))}
        </ul>
      );
    case 'paragraph':
      return (
        <p>
          <Line text={block.text} />
        </p>
      );
  }
}

function Line({ text }: { readonly text: string }) {
  return parseSpans(text).map((span, at) => {
    const key = `${at} ${span.text}`;
    if (span.kind === 'code') return <code key={key}>{span.text}</code>;
    if (span.kind === 'bold') return <b key={key}>{span.text}</b>;
    // Files of the repository are no pages.
    if (span.kind === 'link' && span.href.startsWith('https://')) {
      return (
        <a key={key} href={span.href}>
          {span.text}
        </a>
      );
    }
    return <Fragment key={key}>{span.text}</Fragment>;
  });
}
