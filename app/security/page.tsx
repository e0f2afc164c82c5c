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
    text: 'Tools run in your browser. Their pages can contact no other site.',
  },
  {
    title: 'On our server',
    text: 'Each file is opened in a separate process. It is deleted after the job, results after some days.',
  },
  {
    title: 'Your account',
    text: 'Passwords and API keys are stored as hashes. No script can read your sign-in.',
  },
  {
    title: 'Your money',
    text: 'Card numbers never reach us. You pay for a job once, and only if it succeeds.',
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
              wrong, and how to repeat it.
            </>
          ) : (
            'Tell who runs this service what is wrong, and how to repeat it.'
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
