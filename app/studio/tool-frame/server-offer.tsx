'use client';

import { parseUsd } from '../../../models/core/operation/money.ts';
import { useAvailableUsd } from '../../account/use-balance.ts';
import { useSignedIn } from '../../account/use-signed-in.ts';
import { formatBytes } from '../../ui/quantities.ts';
import { unfitReason } from '../runs/describe-run.ts';
import {
  type RunFiles,
  type RunPlaces,
  useRunActions,
  useRunFiles,
  useRunPlaces,
} from '../runs/runs-context.ts';
import { countFiles } from '../runs/totals.ts';
import type { Price } from '../runs/use-price.ts';
import { isSignedOut } from '../runs/use-sendable.ts';
import { describeServerEngine } from '../runs/use-server-engine.ts';
import styles from './server-offer.module.css';

/** Says what an account is for, where a visitor would need one. */
const ACCOUNT = 'It needs an account. Your files stay in this tab.';

interface ServerOfferProps {
  readonly isPrimary: boolean;
}

/** Offers to run failed files on the server and shows the price first. Nothing is sent before the click. */
export function ServerOffer({ isPrimary }: ServerOfferProps) {
  const isSignedIn = useSignedIn();
  const { sendable, price } = useRunFiles();
  const { fits, serverEngine } = useRunPlaces();
  const { startOnServer } = useRunActions();
  const label = sendable.length === 1 ? 'Run on the server' : `Run ${sendable.length} on the server`;
  return (
    <section className={styles.offer} aria-label="On the server">
      <p>
        {describeOffer(sendable, fits)}
        {price && ` ${formatBytes(price.sentBytes)} will be sent, for $${price.usd}.`}{' '}
        {describeServerEngine(serverEngine)}
        {!isSignedIn && ` ${ACCOUNT}`}
      </p>
      <ServerButton label={label} price={price} isPrimary={isPrimary} onRun={startOnServer} />
      {sendable.some(({ state }) => isSignedOut(state)) && <OtherTab href="/sign-in">Sign in</OtherTab>}
    </section>
  );
}

/** Says why the server is offered: what the device lacks, where that is known and the same for all files. */
function describeOffer(sendable: RunFiles['sendable'], fits: RunPlaces['fits']): string {
  const unfits = new Set(sendable.map(({ id }) => unfitReason(fits.get(id)?.run)?.reason));
  const [unfit] = unfits;
  if (unfit === undefined || unfits.size > 1) return `${countFiles(sendable)} may succeed on our server.`;
  return `${countFiles(sendable)} can't run on this device. ${unfit}`;
}

interface ServerButtonProps {
  readonly label: string;
  readonly price: Price | null | undefined;
  readonly isPrimary: boolean;
  readonly onRun: () => void;
}

/**
 * Button that starts a run on the server and shows its price. It leads to the sign-up where the visitor is not signed in, and to
 * the top-up where the wallet holds less than the price.
 */
export function ServerButton({ label, price, isPrimary, onRun }: ServerButtonProps) {
  const className = isPrimary ? 'button button-primary' : 'button';
  const isSignedIn = useSignedIn();
  const availableUsd = useAvailableUsd();
  if (!isSignedIn) {
    return (
      <OtherTab href="/sign-up?next=/dashboard/top-up" className={className}>
        {price ? `Sign up to run it for $${price.usd}` : 'Sign up to use the server'}
      </OtherTab>
    );
  }
  if (price && availableUsd !== undefined && parseUsd(availableUsd) < parseUsd(price.usd)) {
    return (
      <OtherTab href="/dashboard/top-up" className={className}>
        {`Top up your wallet: this costs $${price.usd}`}
      </OtherTab>
    );
  }
  return (
    <button type="button" className={className} disabled={!price} data-paid onClick={onRun}>
      {price
        ? `${label} for $${price.usd}`
        : price === null
          ? 'No price: reload the page, or use the API'
          : 'Calculating the price…'}
    </button>
  );
}

interface OtherTabProps {
  readonly href: string;
  readonly className?: string;
  readonly children: string;
}

/** Opens a page in a new tab, so that this one keeps its files. This one notices by itself what changes there. */
function OtherTab({ href, className, children }: OtherTabProps) {
  return (
    <a className={className} href={href} target="_blank" rel="noreferrer">
      {children}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}
