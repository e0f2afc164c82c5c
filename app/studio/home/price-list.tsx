import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { formatUsd } from '../../../models/core/operation/money.ts';
import styles from './sections.module.css';

/** Lists prices from the operations themselves, so that listed and charged prices agree. */
export function PriceList({ operations }: { readonly operations: readonly Operation[] }) {
  return (
    <section aria-labelledby="prices">
      <h2 id="prices">Prices</h2>
      <table className={styles.prices}>
        <thead>
          <tr>
            <th scope="col">Operation</th>
            <th scope="col">On this device</th>
            <th scope="col">On our server, by API</th>
          </tr>
        </thead>
        <tbody>
          {operations.map(({ id, title, rates }) => (
            <tr key={id}>
              <th scope="row">{title}</th>
              <td>free</td>
              <td>
                {Object.values(rates).map(({ amount, per }) => (
                  <span key={per}>
                    ${formatUsd(amount)} per {per}
                  </span>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles.note}>Paid from a prepaid wallet. Failed jobs are free.</p>
    </section>
  );
}
