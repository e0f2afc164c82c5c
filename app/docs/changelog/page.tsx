import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Guide, guideMetadata } from '../guide.tsx';
import { ChangelogText } from './changelog-text.tsx';
import { parseChangelog } from './parse-changelog.ts';

const HREF = '/docs/changelog';
export const metadata = guideMetadata(HREF);

/** `CHANGELOG.md` as a page. */
export default async function ChangelogPage() {
  const [, ...blocks] = parseChangelog(await readFile(join(process.cwd(), 'CHANGELOG.md'), 'utf8'));
  return (
    <Guide href={HREF} lead={<p>What users and operators notice. Changes of the API have their dates.</p>}>
      <ChangelogText blocks={blocks} />
    </Guide>
  );
}
