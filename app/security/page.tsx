import type { Metadata } from 'next';
import Link from 'next/link';
import { readEnv } from '../../server/base/env.ts';
import styles from './security.module.css';

export const metadata: Metadata = {
  title: 'Security',
  description: 'How files, accounts and payments are protected, and where to report a problem.',
};

const PROMISES = [
  {
    title: 'On your device',
    text: 'The tools run in your browser. Pages can contact this site only, so a file leaves when you send it, and not before.',
  },
  {
    title: 'On our server',
    text: 'Each file is opened in a separate process, with bounds on time and memory. Files are deleted after the job, results after some days.',
  },
  {
    title: 'Your account',
    text: 'Passwords are hashed, passkeys work, and no script can read your sign-in. We store only a hash of API keys.',
  },
  {
    title: 'Your money',
    text: 'Card numbers never reach us. A job is charged once, at the price that you saw, and only when it succeeds.',
  },
] as const;

/** Says how the service protects its visitors, and where to report a vulnerability. */
export default function SecurityPage() {
  const { OPERATOR_CONTACT } = readEnv();
  return (
    <div className={styles.page}>
      <h1>Security</h1>
      <dl>
        {PROMISES.map(({ title, text }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <section aria-labelledby="report">
        <h2 id="report">Report a problem</h2>
        <p>
          {OPERATOR_CONTACT ? (
            <>
              Write to <a href={OPERATOR_CONTACT}>{OPERATOR_CONTACT.replace(/^mailto:/, '')}</a>: what is
              wrong, how to repeat it, and what an attacker gains.
            </>
          ) : (
            'Tell who runs this service what is wrong, how to repeat it, and what an attacker gains.'
          )}{' '}
          Please don’t publish it before it is fixed.
        </p>
      </section>
      <p>
        See also <Link href="/docs/privacy">Privacy</Link> and <Link href="/docs/retention">Retention</Link>.
      </p>
    </div>
  );
}
