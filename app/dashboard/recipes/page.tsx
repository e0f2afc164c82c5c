import type { Metadata } from 'next';
import { SiteLink } from '../../ui/site-link.tsx';
import styles from '../parts/dashboard.module.css';
import { openPage } from '../parts/find-own-account.ts';
import { Presets } from './presets.tsx';

export const metadata: Metadata = { title: 'Saved recipes', robots: 'noindex' };

export default async function PresetsPage() {
  await openPage('/dashboard/recipes');
  return (
    <>
      <div className={styles.head}>
        <h1>Recipes</h1>
        <SiteLink href="/recipes" className="button">
          Build a recipe
        </SiteLink>
      </div>
      <p className={styles.muted}>
        Requests name one as <code>preset</code>.
      </p>
      <Presets />
    </>
  );
}
