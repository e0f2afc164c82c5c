'use client';

import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react';
import { useRef } from 'react';
import { listOutputs } from '../../../models/pipeline/recipes.ts';
import { formatBytes } from '../../ui/quantities.ts';
import { Thumbnail } from '../files/thumbnail.tsx';
import { type Draft, type DraftStep, getTool, moveStep, removeStep } from './draft.ts';
import styles from './recipes.module.css';
import type { Preview, StepResult } from './use-preview.ts';

interface StepListProps {
  readonly draft: Draft;
  readonly preview: Preview;
  readonly selectedId: string | undefined;
  readonly onSelect: (id: string) => void;
  readonly onDraft: (draft: Draft) => void;
}

/** Steps in order, each with its result on the page's own file. */
export function StepList({ draft, preview, selectedId, onSelect, onDraft }: StepListProps) {
  const list = useRef<HTMLOListElement>(null);
  const outputs = listOutputs(draft);
  /** The pressed button may go: the focus stays in the list. */
  const keepFocus = (next: Draft, id: string) => {
    onDraft(next);
    onSelect(id);
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>('[aria-current="true"]')?.focus({ preventScroll: true }),
    );
  };
  return (
    <ol ref={list} className={styles.steps} aria-label="Steps">
      {draft.steps.map((step, at) => {
        const tool = getTool(step);
        const neighbour = draft.steps[at + 1] ?? draft.steps[at - 1];
        return (
          <li key={step.id} className={styles.step} data-selected={step.id === selectedId}>
            <button
              type="button"
              className={styles.open}
              aria-current={step.id === selectedId}
              onClick={() => onSelect(step.id)}
            >
              <StepPicture result={preview.results.get(step.id)} isCurrent={preview.isCurrent(step.id)} />
              <span className={styles.words}>
                <b>{tool.name}</b>
                <span className="facts">
                  {step.id} ← {step.from === 'input' ? 'the file' : step.from}
                  {outputs.includes(step.id) && step.operation !== 'moderate' && ' · kept'}
                </span>
                <StepFacts
                  step={step}
                  result={preview.results.get(step.id)}
                  isCurrent={preview.isCurrent(step.id)}
                />
              </span>
            </button>
            <span className={styles.tools}>
              {draft.steps.length > 1 && (
                <>
                  <button
                    type="button"
                    className="button-icon"
                    aria-label={`Move ${step.id} up`}
                    disabled={at === 0}
                    onClick={() => keepFocus(moveStep(draft, step.id, -1), step.id)}
                  >
                    <ArrowUp size={18} strokeWidth={1.5} aria-hidden />
                  </button>
                  <button
                    type="button"
                    className="button-icon"
                    aria-label={`Move ${step.id} down`}
                    disabled={at === draft.steps.length - 1}
                    onClick={() => keepFocus(moveStep(draft, step.id, 1), step.id)}
                  >
                    <ArrowDown size={18} strokeWidth={1.5} aria-hidden />
                  </button>
                </>
              )}
              <button
                type="button"
                className="button-icon"
                aria-label={`Remove ${step.id}`}
                onClick={() => keepFocus(removeStep(draft, step.id), neighbour?.id ?? '')}
              >
                <Trash2 size={18} strokeWidth={1.5} aria-hidden />
              </button>
            </span>
          </li>
        );
      })}
    </ol>
  );
}

interface StepResultProps {
  readonly result: StepResult | undefined;
  readonly isCurrent: boolean;
}

function StepPicture({ result, isCurrent }: StepResultProps) {
  const file = result?.files.find(({ mediaType }) => /^(image|video)\//.test(mediaType));
  return (
    <span className={styles.picture} data-old={!isCurrent}>
      {file && <Thumbnail blob={file.blob} label={file.name} />}
    </span>
  );
}

function StepFacts({ step, result, isCurrent }: StepResultProps & { readonly step: DraftStep }) {
  if (!result) return null;
  if (result.failure !== undefined && isCurrent)
    return <span className={styles.failure}>{result.failure}</span>;
  if (!isCurrent) return <span className="note">Updating…</span>;
  if (step.operation === 'moderate') {
    return <span className="note">{result.details.flagged === true ? 'Flagged' : 'Not flagged'}</span>;
  }
  const bytes = result.files.reduce((sum, { blob }) => sum + blob.size, 0);
  const [only, ...others] = result.files;
  const words =
    others.length > 0 ? `${result.files.length} files` : (only?.name.split('.').at(-1) ?? '').toUpperCase();
  return <span className="note">{[words, formatBytes(bytes), ...result.warnings].join(' · ')}</span>;
}
