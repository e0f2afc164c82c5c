'use client';

import { type ReactNode, useState } from 'react';
import { describeFailure } from '../failures/describe-failure.ts';
import { fetchSample, type Sample } from '../files/samples.ts';

interface SampleButtonProps {
  readonly sample: Sample;
  readonly className: string | undefined;
  readonly children: ReactNode;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Loads a sample on click, and shows an error when that fails. */
export function SampleButton({ sample, className, children, onFiles }: SampleButtonProps) {
  const [problem, setProblem] = useState<string>();
  const load = async () => {
    setProblem(undefined);
    try {
      onFiles([await fetchSample(sample)]);
    } catch (thrown) {
      setProblem(describeFailure(thrown));
    }
  };
  return (
    <>
      <button type="button" className={className} onClick={() => void load()}>
        {children}
      </button>
      {problem && <span role="alert">{problem}</span>}
    </>
  );
}
