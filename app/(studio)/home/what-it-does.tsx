import Link from 'next/link';
import type { Operation } from '../../../models/operation.ts';
import type { OperationId } from '../../../models/registry.ts';
import { TOOLS } from '../tools/tools.ts';
import { Example } from './examples.tsx';
import styles from './sections.module.css';
import { UsualTime } from './usual-time.tsx';

export function WhatItDoes({ operations }: { readonly operations: readonly Operation<OperationId>[] }) {
  return (
    <section aria-labelledby="does">
      <h2 id="does">What it does</h2>
      <ul className={styles.rows}>
        {operations.map(({ id, title }) => (
          <li key={id}>
            <div>
              <h3>
                <Link href={`/${TOOLS[id].slug}`}>{title}</Link>
              </h3>
              <p>{TOOLS[id].promise}</p>
              <UsualTime operationId={id} />
            </div>
            <Example operationId={id} />
          </li>
        ))}
      </ul>
    </section>
  );
}
