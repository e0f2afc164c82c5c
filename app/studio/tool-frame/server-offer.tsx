'use client';

import { useState } from 'react';
import { parseUsd } from '../../../models/core/operation/money.ts';
import type { Progress } from '../../../models/core/runtime/progress.ts';
import { useAvailableUsd } from '../../account/use-balance.ts';
import { useSignedIn } from '../../account/use-signed-in.ts';
import { useAbortOnUnmount } from '../../ui/hooks.ts';
import { ProgressLine } from '../../ui/progress-line.tsx';
import { formatBytes } from '../../ui/quantities.ts';
import { describeFailure } from '../failures/describe-failure.ts';
import { unfitReason } from '../runs/describe-run.ts';
import {
  type RunFiles,
  type RunPlaces,
  useRunActions,
  useRunFiles,
  useRunPlaces,
} from '../runs/runs-context.ts';
import { countFiles, paidFiles } from '../runs/totals.ts';
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
  const { length } = paidFiles(sendable, price);
  const label = length === 1 ? 'Run on the server' : `Run ${length} on the server`;
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

/** Offers to send files that only the server can measure, to learn their price. Nothing is sent before the click. */
export function PriceOffer() {
  const { unpriced, items } = useRunFiles();
  const { fits } = useRunPlaces();
  const { askForPrices } = useRunActions();
  const isSignedIn = useSignedIn();
  const leaving = useAbortOnUnmount();
  const [state, setState] = useState<{ readonly progress?: Progress; readonly failure?: string }>({});
  if (unpriced.length === 0) return null;
  const send = async () => {
    const signal = leaving.begin();
    setState({ progress: { fraction: 0 } });
    try {
      await askForPrices({ signal, onProgress: (progress) => setState({ progress }) });
      setState({});
    } catch (thrown) {
      setState(signal.aborted ? {} : { failure: describeFailure(thrown) });
    }
  };
  const bytes = unpriced.reduce((sum, { file }) => sum + file.size, 0);
  const className = unpriced.length === items.length ? 'button button-primary' : 'button';
  return (
    <section className={styles.offer} aria-label="Price">
      <p>
        {describeOffer(unpriced, fits)} The price depends on what is in it, which only our server can read:
        sending {formatBytes(bytes)} for it is free.
      </p>
      {!isSignedIn ? (
        <SignUp className={className} />
      ) : state.progress ? (
        <>
          <ProgressLine fraction={state.progress.fraction} label="Progress of sending" />
          <button type="button" className="button" onClick={leaving.end}>
            Cancel
          </button>
        </>
      ) : (
        <button type="button" className={className} onClick={() => void send()}>
          Send {countFiles(unpriced)} for a price
        </button>
      )}
      {state.failure && <p role="alert">{state.failure}</p>}
    </section>
  );
}

/** Leads a visitor without an account to one. */
function SignUp({ className, children = 'Sign up to use the server' }: Partial<Omit<OtherTabProps, 'href'>>) {
  return (
    <OtherTab href="/sign-up?next=/dashboard/top-up" {...(className && { className })}>
      {children}
    </OtherTab>
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
    return <SignUp className={className}>{price ? `Sign up to run it for $${price.usd}` : undefined}</SignUp>;
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
  readonly children?: string | undefined;
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
