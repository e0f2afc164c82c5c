'use client';

import { bytes } from '../quantities.ts';
import { useApiKey } from '../settings/api-key.ts';
import { countFiles } from './batch.ts';
import { aboutTheKey } from './fault.ts';
import styles from './server-offer.module.css';
import type { Price } from './use-price.ts';
import type { Work } from './use-work.ts';

interface ServerOfferProps {
  readonly work: Work;
  readonly isPrimary: boolean;
}

/** The way on for what failed here: the server, for a price that is told first. Nothing is sent before the click. */
export function ServerOffer({ work, isPrimary }: ServerOfferProps) {
  const { sendable, price, startOnServer } = work;
  const label = sendable.length === 1 ? 'Run on the server' : `Run ${sendable.length} on the server`;
  return (
    <section className={styles.offer} aria-label="On the server">
      <p>
        {countFiles(sendable)} may work on our server.
        {price && ` ${bytes(price.sentBytes)} would be sent, for $${price.usd}.`} What fails there costs
        nothing.
      </p>
      <ServerButton label={label} price={price} isPrimary={isPrimary} onRun={startOnServer} />
      {sendable.some(({ state }) => aboutTheKey(state)) && <SettingsLink>See to your key</SettingsLink>}
    </section>
  );
}

interface ServerButtonProps {
  readonly label: string;
  readonly price: Price | undefined;
  readonly isPrimary: boolean;
  readonly onRun: () => void;
}

/** Starts work on the server and says what it costs; without a key it leads to where one is kept. */
export function ServerButton({ label, price, isPrimary, onRun }: ServerButtonProps) {
  const className = isPrimary ? 'button button-primary' : 'button';
  if (useApiKey() === null) {
    return <SettingsLink className={className}>Add a key for the server</SettingsLink>;
  }
  return (
    <button type="button" className={className} disabled={!price} onClick={onRun}>
      {price ? `${label} for $${price.usd}` : 'Working out the price…'}
    </button>
  );
}

/** In a tab of its own, so that this one keeps its files. It learns of the key by itself. */
function SettingsLink({ className, children }: { readonly className?: string; readonly children: string }) {
  return (
    <a className={className} href="/settings" target="_blank" rel="noreferrer">
      {children}
      <span className="heard-only"> (opens in a new tab)</span>
    </a>
  );
}
