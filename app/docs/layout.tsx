import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import styles from './docs.module.css';
import { GuideNav } from './guide-nav.tsx';
import { ChosenLanguage } from './language-choice.tsx';
import { isLanguage, LANGUAGE_COOKIE } from './languages.ts';

/** The list of guides next to a guide, whose examples share one choice of language. */
export default async function DocsLayout({ children }: { readonly children: ReactNode }) {
  const chosen = (await cookies()).get(LANGUAGE_COOKIE)?.value;
  return (
    <ChosenLanguage initial={isLanguage(chosen) ? chosen : 'sh'}>
      <div className={styles.docs}>
        <GuideNav />
        <div className={styles.guide}>{children}</div>
      </div>
    </ChosenLanguage>
  );
}
