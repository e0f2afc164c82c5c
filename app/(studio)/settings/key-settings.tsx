'use client';

import { useState } from 'react';
import { removeApiKey, saveApiKey, useApiKey } from '../service/api-key.ts';
import { readWallet, type Wallet } from '../service/read-wallet.ts';
import { useWallet, WALLET_TIMEOUT_MS, walletProblem } from '../service/use-wallet.ts';
import styles from './settings.module.css';

/** `mk_` and the 8 characters that may be shown for life. */
const SHOWN_CHARACTERS = 11;

/** Lets the visitor paste and verify an API key; with a key, shows the wallet's balance and a button to remove it. */
export function KeySettings() {
  const apiKey = useApiKey();
  return apiKey === null ? <KeyForm /> : <SavedKey apiKey={apiKey} />;
}

function KeyForm() {
  const [isChecking, setIsChecking] = useState(false);
  const [problem, setProblem] = useState('');

  const check = async (form: FormData) => {
    const apiKey = String(form.get('key')).trim();
    setIsChecking(true);
    setProblem('');
    try {
      await readWallet(apiKey, AbortSignal.timeout(WALLET_TIMEOUT_MS));
      saveApiKey(apiKey);
    } catch (thrown) {
      setProblem(walletProblem(thrown));
    } finally {
      setIsChecking(false);
    }
  };

  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        void check(new FormData(event.currentTarget));
      }}
    >
      <label htmlFor="api-key">Your key</label>
      <div className={styles.line}>
        <input
          id="api-key"
          name="key"
          type="password"
          required
          autoComplete="off"
          spellCheck={false}
          placeholder="mk_…"
          aria-invalid={problem !== ''}
          aria-describedby="api-key-problem"
        />
        <button type="submit" className="button button-primary" disabled={isChecking}>
          {isChecking ? 'Checking…' : 'Verify and save'}
        </button>
      </div>
      <p id="api-key-problem" role="alert" className={styles.problem}>
        {problem}
      </p>
    </form>
  );
}

function SavedKey({ apiKey }: { readonly apiKey: string }) {
  const { wallet, problem } = useWallet(apiKey);
  return (
    <div className={styles.kept}>
      <p>
        <span className="facts">{apiKey.slice(0, SHOWN_CHARACTERS)}…</span>
        <button type="button" className="button" onClick={removeApiKey}>
          Remove key
        </button>
      </p>
      <p role="status" className={styles.balance} aria-busy={!wallet && !problem}>
        {wallet ? balanceOf(wallet) : problem || 'Checking the balance…'}
      </p>
    </div>
  );
}

function balanceOf({ balanceUsd, availableUsd }: Wallet): string {
  const held = balanceUsd === availableUsd ? '' : ` of $${balanceUsd}; the rest is held by running jobs`;
  return `Balance: $${availableUsd}${held}`;
}
