import type { Metadata } from 'next';
import Link from 'next/link';
import { readEnv } from '../../server/base/env.ts';
import { applyPricing } from '../../server/base/pricing.ts';
import { SiteLink } from '../ui/site-link.tsx';
import styles from './docs.module.css';
import { getPrice } from './endpoints.ts';
import { Guide, GuideList, GuidePart } from './guide.tsx';

const HREF = '/docs';
export const metadata: Metadata = {
  title: 'Docs',
  description: 'The HTTP API: every tool as a prepaid job, with guides, prices, errors and limits.',
};

/** First page of the docs: the guides, and the operations with their prices. */
export default function DocsPage() {
  const { PUBLIC_URL } = readEnv();
  return (
    <Guide
      href={HREF}
      lead={<p>Every tool is also an HTTP API.</p>}
      aside={
        <>
          <p>
            The API is at <code>{PUBLIC_URL}/api</code>. You need an{' '}
            <SiteLink href="/dashboard/keys">API key</SiteLink> and a prepaid wallet. Failed jobs are free.
          </p>
          <p>
            <Link href="/docs/quickstart" className="button">
              Start with the quickstart
            </Link>
          </p>
        </>
      }
    >
      <GuidesPart />
      <OperationsPart />
    </Guide>
  );
}

function GuidesPart() {
  return (
    <GuidePart
      id="guides"
      title="Guides"
      text={<p>With examples in curl, TypeScript and Python, which our tests run.</p>}
    >
      <GuideList except={HREF} />
    </GuidePart>
  );
}

function OperationsPart() {
  return (
    <GuidePart
      id="operations"
      title="Operations"
      text={
        <p>
          <Link href="/docs/try">Try one here</Link>, or see every field in the{' '}
          <Link href="/docs/reference">reference</Link> and its{' '}
          <a href="/api/openapi.json">OpenAPI description</a>.
        </p>
      }
    >
      <ul className={styles.list}>
        {Object.values(applyPricing(readEnv().TERMS)).map((operation) => (
          <li key={operation.id}>
            <Link href={`/docs/reference#${operation.id}`}>{operation.title}</Link>
            <span className="facts">{getPrice(operation)}</span>
          </li>
        ))}
      </ul>
    </GuidePart>
  );
}
