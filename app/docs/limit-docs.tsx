import { UPLOAD_BYTES_MAX, UPLOAD_HOURS } from '../../server/uploads/index.ts';
import { bytes } from '../(studio)/text/quantities.ts';
import styles from './docs.module.css';

interface LimitDocsProps {
  /** Requests of a key: refill and capacity of its bucket. */
  readonly perSecond: number;
  readonly burst: number;
  /** Longest wait of a request for its result. */
  readonly waitSeconds: number;
}

/** Limits that all operations share, as this service is set up. */
export function LimitDocs({ perSecond, burst, waitSeconds }: LimitDocsProps) {
  return (
    <section className={styles.part} aria-labelledby="limits">
      <div>
        <h2 id="limits">Limits</h2>
        <p>Each operation names its own above. These hold for all of them.</p>
      </div>
      <dl className={styles.fields}>
        <div>
          <dt>Requests</dt>
          <dd>
            {perSecond} per second and key, {burst} at once. <code>RateLimit-*</code> headers say what is
            left.
          </dd>
        </div>
        <div>
          <dt>Waiting</dt>
          <dd>
            A request that waits for its result waits {waitSeconds} seconds at most. Then it gets a polling
            URL, and the job continues.
          </dd>
        </div>
        <div>
          <dt>Uploads</dt>
          <dd>
            A file without a URL goes to <code>POST /uploads</code> first: {bytes(UPLOAD_BYTES_MAX)} at most,
            for one request within {UPLOAD_HOURS} hour.
          </dd>
        </div>
      </dl>
    </section>
  );
}
