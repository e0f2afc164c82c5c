import { usePathname } from 'next/navigation';
import { nextPage, pathWithNext } from '../../account/next-page.ts';
import styles from './dashboard.module.css';

/** Says on an open page why it shows nothing new, and what to do. */
export function SignedOut() {
  const path = usePathname();
  return (
    <p role="alert" className={styles.low}>
      You are signed out. Your session has ended, or an owner has removed you from this account.{' '}
      {/* A whole load: nothing of the former session stays. */}
      <a href={pathWithNext('/sign-in', nextPage(path))}>Sign in</a> to see the accounts that you belong to.
    </p>
  );
}
