import type { Metadata } from 'next';
import { SiteLink } from '../../ui/site-link.tsx';
import { openPage } from '../parts/find-own-account.ts';
import { Presets } from './presets.tsx';

export const metadata: Metadata = { title: 'Saved recipes', robots: 'noindex' };

export default async function PresetsPage() {
  await openPage('/dashboard/recipes');
  return (
    <>
      <h1>Recipes</h1>
      <p>
        Requests name a saved recipe as <code>preset</code>. Build one on the page{' '}
        <SiteLink href="/recipes">Recipes</SiteLink>.
      </p>
      <Presets />
    </>
  );
}
