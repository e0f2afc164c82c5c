'use client';

import { ParamsForm } from '../form/params-form.tsx';
import { useSessionState } from '../session/use-session-state.ts';
import type { Field } from '../tools/fields.ts';
import type { Threshold } from './verdict.ts';

const FIELD: Field = { kind: 'range', name: 'threshold', min: 2, max: 6, step: 2, initial: 2 };

const MEANINGS: Readonly<Record<Threshold, string>> = {
  2: 'Low and above are flagged.',
  4: 'Medium and High are flagged.',
  6: 'Only High is flagged.',
};

/** Severity from which images are flagged. It changes verdicts at once, without a new run. */
export function useThreshold() {
  return useSessionState<Threshold>('image-moderation/threshold', 2);
}

interface ThresholdFieldProps {
  readonly threshold: Threshold;
  readonly onThreshold: (threshold: Threshold) => void;
}

export function ThresholdField({ threshold, onThreshold }: ThresholdFieldProps) {
  return (
    <ParamsForm
      fields={[FIELD]}
      name="Verdict"
      values={{ threshold }}
      disabled={false}
      wording={{
        fields: {
          threshold: {
            label: 'Flag from',
            explain: () => MEANINGS[threshold],
          },
        },
      }}
      onChange={({ threshold: chosen }) => onThreshold(chosen as Threshold)}
    />
  );
}
