import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactNode } from 'react';
import styles from './docs.module.css';
import type { ListedField } from './endpoints.ts';
import { GUIDE_GROUPS, guideAfter, guideAt } from './guides.ts';

/** Returns the title and description of a guide's page. */
export function guideMetadata(href: string): Metadata {
  const { name, brief } = guideAt(href);
  return { title: name, description: brief };
}

interface GuideProps {
  readonly href: string;
  /** First paragraphs, below the heading. */
  readonly lead: ReactNode;
  /** Content next to the heading. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** A page of the docs: heading, parts, and the way to the next page. */
export function Guide({ href, lead, aside, children }: GuideProps) {
  const next = guideAfter(href);
  return (
    <>
      <header className={styles.part}>
        <div>
          <h1>{guideAt(href).name}</h1>
          {lead}
        </div>
        <div>{aside}</div>
      </header>
      {children}
      {next && (
        <p className={styles.next}>
          Next: <Link href={next.href}>{next.name}</Link>
        </p>
      )}
    </>
  );
}

interface GuidePartProps {
  readonly id: string;
  readonly title: string;
  readonly text?: ReactNode;
  /** Code or a table, next to the text. */
  readonly children?: ReactNode;
}

export function GuidePart({ id, title, text, children }: GuidePartProps) {
  return (
    <section className={styles.part} aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        {text}
      </div>
      <div>{children}</div>
    </section>
  );
}

/** Names as code, each with its meaning: fields, states, statuses. */
export function FieldList({ fields }: { readonly fields: readonly ListedField[] }) {
  return (
    <dl className={styles.fields}>
      {fields.map(({ name, note, text, values }) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
            {note && <span>{note}</span>}
          </dt>
          <dd>
            {withCode(text)}
            {values && <code>{values}</code>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Shows as code what stands between backticks in a text. */
export function withCode(text: ReactNode): ReactNode {
  if (typeof text !== 'string') return text;
  // biome-ignore lint/suspicious/noArrayIndexKey: a text may name the same code twice
  return text.split('`').map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part));
}

/** Lists all guides with what each is about, but for one. */
export function GuideList({ except }: { readonly except?: string }) {
  return (
    <ul className={styles.list}>
      {GUIDE_GROUPS.flatMap(({ guides }) => guides)
        .filter(({ href }) => href !== except)
        .map(({ href, name, brief }) => (
          <li key={href}>
            <Link href={href}>{name}</Link>
            <span>{brief}</span>
          </li>
        ))}
    </ul>
  );
}
