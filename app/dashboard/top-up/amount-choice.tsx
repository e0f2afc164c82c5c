'use client';

import { useId, useState } from 'react';
import formStyles from '../parts/form.module.css';
import amountsStyles from './amount-choice.module.css';

const AMOUNTS = ['5', '20', '100'] as const;

interface AmountChoiceProps {
  /** Called with the amount in US dollars, as it is typed. */
  readonly onAmount: (amountUsd: string) => void;
  /** Bounds of another amount. */
  readonly range: string;
}

/** Label of the field for another amount. */
export const OTHER_AMOUNT = 'Other amount';

/** First amount of the choice. */
export const AMOUNT_FIRST = '20';

/** Choice of an amount, or a field for another one. */
export function AmountChoice({ onAmount, range }: AmountChoiceProps) {
  const id = useId();
  const [chosen, setChosen] = useState<string>(AMOUNT_FIRST);
  const [other, setOther] = useState('');
  return (
    <>
      <fieldset aria-label="Amount">
        <div className={amountsStyles.amounts}>
          {[...AMOUNTS, 'other'].map((each) => (
            <label key={each}>
              <input
                type="radio"
                name="amount"
                value={each}
                className="visually-hidden"
                checked={chosen === each}
                onChange={() => {
                  setChosen(each);
                  onAmount(each === 'other' ? other : each);
                }}
              />
              <span>{each === 'other' ? 'Other' : `$${each}`}</span>
            </label>
          ))}
        </div>
      </fieldset>
      {chosen === 'other' && (
        <label className={formStyles.field}>
          <span>{OTHER_AMOUNT}</span>
          <input
            className={formStyles.input}
            inputMode="decimal"
            required
            value={other}
            placeholder="12.50"
            onChange={({ target: { value } }) => {
              setOther(value);
              onAmount(value.trim());
            }}
            aria-describedby={id}
          />
          <small id={id} className="note">
            {range}
          </small>
        </label>
      )}
    </>
  );
}
