'use client';

import { countFiles } from '../batch/totals.ts';
import { useApiKey } from '../service/api-key.ts';
import { bytes } from '../text/quantities.ts';
import { lackOf } from './describe-fit.ts';
import { isKeyFailure } from './failure.ts';
import styles from './server-offer.module.css';
import type { FileRuns } from './use-file-runs.ts';
import type { Price } from './use-price.ts';
import { describeServerEngine } from './use-server-engine.ts';

interface ServerOfferProps {
  readonly work: FileRuns;
  readonly isPrimary: boolean;
}

/** Offers to run failed files on the server and shows the price first. Nothing is sent before the click. */
export function ServerOffer({ work, isPrimary }: ServerOfferProps) {
  const { sendable, price, startOnServer } = work;
  const label = sendable.length === 1 ? 'Run on the server' : `Run ${sendable.length} on the server`;
  return (
    <section className={styles.offer} aria-label="On the server">
      <p>
        {describeOffer(work)}
        {price && ` ${bytes(price.sentBytes)} will be sent, for $${price.usd}.`} Failed runs are free.{' '}
        {describeServerEngine(work.serverEngine)}
      </p>
      <ServerButton label={label} price={price} isPrimary={isPrimary} onRun={startOnServer} />
      {sendable.some(({ state }) => isKeyFailure(state)) && <SettingsLink>Check your API key</SettingsLink>}
    </section>
  );
}

/** Says why the server is offered: what the device lacks, where that is known and the same for all files. */
function describeOffer({ sendable, fits }: FileRuns): string {
  const lacks = new Set(sendable.map(({ id }) => lackOf(fits.get(id)?.run)?.reason));
  const [lack] = lacks;
  if (lack === undefined || lacks.size > 1) return `${countFiles(sendable)} may succeed on our server.`;
  return `${countFiles(sendable)} can't run on this device. ${lack}`;
}

interface ServerButtonProps {
  readonly label: string;
  readonly price: Price | null | undefined;
  readonly isPrimary: boolean;
  readonly onRun: () => void;
}

/** Button that starts a run on the server and shows its price; without an API key it links to the settings. */
export function ServerButton({ label, price, isPrimary, onRun }: ServerButtonProps) {
  const className = isPrimary ? 'button button-primary' : 'button';
  if (useApiKey() === null) {
    return <SettingsLink className={className}>Add a key for the server</SettingsLink>;
  }
  return (
    <button type="button" className={className} disabled={!price} data-paid onClick={onRun}>
      {price
        ? `${label} for $${price.usd}`
        : price === null
          ? 'Price unavailable: reload the page'
          : 'Calculating the price…'}
    </button>
  );
}

/** Opens the settings in a new tab, so that this one keeps its files. The page notices the new key by itself. */
function SettingsLink({ className, children }: { readonly className?: string; readonly children: string }) {
  return (
    <a className={className} href="/settings" target="_blank" rel="noreferrer">
      {children}
      <span className="heard-only"> (opens in a new tab)</span>
    </a>
  );
}
