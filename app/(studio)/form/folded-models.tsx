'use client';

import { ChevronDown } from 'lucide-react';
import folded from './folded-form.module.css';
import { type ModelChoice, ModelList } from './model-list.tsx';

interface FoldedModelsProps {
  /** Name shared by the radio buttons. */
  readonly name: string;
  readonly models: readonly ModelChoice[];
  readonly value: string;
  readonly disabled: boolean;
  readonly onChoose: (id: string) => void;
}

/** List of models, folded until somebody wants it. Its head names the chosen one. */
export function FoldedModels({ models, value, ...list }: FoldedModelsProps) {
  return (
    <details className={folded.folded}>
      <summary>
        <span>Model</span>
        <span className={folded.changed}>{models.find(({ id }) => id === value)?.name}</span>
        <ChevronDown size={16} strokeWidth={1.5} aria-hidden />
      </summary>
      <ModelList {...list} models={models} value={value} isTitled={false} />
    </details>
  );
}
