'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatUsd } from '../../../models/core/operation/money.ts';
import { formatDay } from '../../ui/dates.ts';
import styles from '../parts/dashboard.module.css';
import { modelName } from '../parts/format.ts';
import { Select } from '../parts/list-controls.tsx';
import tableStyles from '../parts/table.module.css';
import { useTrpc } from '../parts/trpc-client.tsx';
import { lastDays, type SpendingRow, stackDays, type Total, totalsBy } from './spending.ts';
import usageStyles from './usage.module.css';

const RANGES = { '7': 'Last 7 days', '30': 'Last 30 days', '90': 'Last 90 days' } as const;
/** Colours of the chart; further models share the last. */
const LANES = 6;
const BAR = { step: 28, width: 20, height: 160 } as const;

/** Spending by day as a chart, and by operation and key as tables. */
export function Usage() {
  const calls = useTrpc();
  const [range, setRange] = useState<keyof typeof RANGES>('30');
  const days = lastDays(Number(range), new Date());
  const [from = '', to = ''] = [days[0], days.at(-1)];
  const { data, error } = useQuery(calls.usage.spending.queryOptions({ from, to }));
  const totals = totalsBy(data ?? [], 'modelId');
  const getLane: LaneOf = (modelId) => Math.min(LANES, totals.findIndex(({ name }) => name === modelId) + 1);
  return (
    <>
      <section aria-labelledby="spending">
        <div className={styles.head}>
          <h2 id="spending">Spending by day (UTC)</h2>
          <Select label="Time" value={range} choices={RANGES} onChoose={setRange} />
        </div>
        {error && <p role="alert">{error.message}</p>}
        {!data && !error && <p role="status">Loading…</p>}
        {data && <Chart rows={data} days={days} getLane={getLane} />}
      </section>
      {data && data.length > 0 && (
        <>
          <Totals title="Operation" rows={totals} getName={modelName} getLane={getLane} />
          <Totals title="Key" rows={totalsBy(data, 'key')} getName={(name) => name} />
        </>
      )}
    </>
  );
}

type LaneOf = (modelId: string) => number;

interface ChartProps {
  readonly rows: readonly SpendingRow[];
  readonly days: readonly string[];
  readonly getLane: LaneOf;
}

function Chart({ rows, days, getLane }: ChartProps) {
  const models = totalsBy(rows, 'modelId').map(({ name }) => name);
  const { bars, top } = stackDays(rows, days, models);
  const all = formatUsd(bars.reduce((sum, { micro }) => sum + micro, 0n));
  return (
    <>
      <p>
        <b className="facts">${all}</b>
      </p>
      <figure className={`${usageStyles.chart} ${usageStyles.lanes}`}>
        <Bars
          bars={bars}
          getLane={getLane}
          label={`Spending by day, ${days.length} days, $${all} in all. The tables below have the sums.`}
        />
        {rows.length > 0 && (
          <>
            <span className={usageStyles.scale} aria-hidden>
              ${formatUsd(top)}
            </span>
            <span className={usageStyles.scale} data-share="half" aria-hidden>
              ${formatUsd(top / 2n)}
            </span>
          </>
        )}
        <figcaption>
          <span>{formatDay(days[0] ?? '')}</span>
          <span>{formatDay(days.at(-1) ?? '')}</span>
        </figcaption>
      </figure>
    </>
  );
}

interface BarsProps {
  readonly bars: ReturnType<typeof stackDays>['bars'];
  readonly getLane: LaneOf;
  readonly label: string;
}

function Bars({ bars, getLane, label }: BarsProps) {
  const width = bars.length * BAR.step;
  return (
    <svg viewBox={`0 0 ${width} ${BAR.height}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {[0, 0.5, 1].map((share) => (
        <path
          key={share}
          d={`M0 ${BAR.height * share}H${width}`}
          stroke="var(--line)"
          strokeDasharray={share === 1 ? undefined : '2 4'}
          vectorEffect="non-scaling-stroke"
        />
      ))}
      {bars.map(({ day, micro, parts }, at) => (
        <g key={day}>
          <title>{`${formatDay(day)}: $${formatUsd(micro)}`}</title>
          {parts.map(({ modelId, base, height }) => (
            <rect
              key={modelId}
              data-lane={getLane(modelId)}
              x={at * BAR.step + (BAR.step - BAR.width) / 2}
              y={BAR.height * (1 - base - height)}
              width={BAR.width}
              height={BAR.height * height}
            />
          ))}
        </g>
      ))}
    </svg>
  );
}

interface TotalsProps {
  /** Heading of the names. */
  readonly title: string;
  readonly rows: readonly Total[];
  readonly getName: (name: string) => string;
  /** Colours of the rows in the chart, where it has them. */
  readonly getLane?: LaneOf;
}

function Totals({ title, rows, getName, getLane }: TotalsProps) {
  return (
    <table className={`${tableStyles.table} ${tableStyles.sums} ${usageStyles.lanes}`}>
      <thead>
        <tr>
          <th scope="col">{title}</th>
          <th scope="col" className={tableStyles.number}>
            Jobs
          </th>
          <th scope="col" className={tableStyles.number}>
            USD
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, jobs, usd }) => (
          <tr key={name}>
            <td>
              {getLane && <span className={usageStyles.lane} data-lane={getLane(name)} />}
              {getName(name)}
            </td>
            <td className={tableStyles.number}>{jobs}</td>
            <td className={tableStyles.number}>{usd}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
