import type { Metadata } from 'next';
import { describeInstallation } from '../../server/api/routes/list-engines.ts';
import { getWebContext } from '../../server/ops/web-context.ts';
import { Board } from './board.tsx';
import styles from './quality.module.css';

export const metadata: Metadata = {
  title: 'Quality',
  description: 'How well each engine of this installation does on samples with known answers.',
};

/** It tells what this installation has measured so far. */
export const dynamic = 'force-dynamic';

export default async function QualityPage() {
  const { engines } = await describeInstallation(await getWebContext());
  return (
    <div className={styles.page}>
      <h1>Quality</h1>
      <p>
        Each engine with weights runs on samples with known answers, the same for all engines of an operation:
        for cutouts and verdicts people, animals, things and an empty picture, else a picture, a conversation
        or a song. One that misses its floor is not used. Time and memory are those of this machine.
      </p>
      <Board engines={engines} />
      <p>
        <code>GET /api/v2/engines</code> returns the same as JSON.
      </p>
    </div>
  );
}
