'use client';

import { FolderOpen, Plus } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import { getMessage } from '../../../models/core/operation/errors.ts';
import { useLoaded } from '../../ui/hooks.ts';
import { ProgressLine } from '../../ui/progress-line.tsx';
import { SampleButton } from '../add-files/sample-button.tsx';
import { useFileDrop } from '../add-files/use-file-drop.ts';
import { ChooseFiles } from '../files/choose-files.tsx';
import { recogniseFiles } from '../files/recognise.ts';
import { KITTEN } from '../files/samples.ts';
import { describeProgress } from '../runs/describe-run.ts';
import { useSessionState } from '../session/use-session-state.ts';
import type { Tool } from '../tools/tool.ts';
import { fitsTool, TOOL_LIST } from '../tools/tools.ts';
import { BeforeAfter } from './before-after.tsx';
import { addStep, type Draft, type DraftStep, EMPTY_DRAFT, getBase, getTool, toJson } from './draft.ts';
import { JsonPanel } from './json-panel.tsx';
import { Library } from './library.tsx';
import { findStepFile, nameInStep } from './plan-preview.ts';
import { getRecipeRuns } from './recipe-runs.ts';
import styles from './recipes.module.css';
import { RunPanel } from './run-panel.tsx';
import { StepForm, type StepForms } from './step-form.tsx';
import { StepList } from './step-list.tsx';
import { type Preview, usePreview } from './use-preview.ts';

/** Page on which a person builds a recipe, sees what each step makes of an own file, and runs it over many. */
export function RecipesPage({ forms }: { readonly forms: StepForms }) {
  const recipe = useRecipe();
  const { draft, name, fault, problem, runs, view } = recipe;
  const isDragging = useFileDrop({ onFiles: (files) => void recipe.add(files), onLinks: () => {} });
  const isValid = fault === null && draft.steps.length > 0;
  return (
    <div className={styles.page} data-dragging={isDragging}>
      <header className={styles.head}>
        <h1>Recipes</h1>
        <p>Several tools in a row, over one file or a folder.</p>
      </header>
      <Library
        name={name}
        draft={draft}
        isValid={isValid}
        onName={recipe.setName}
        onOpen={(given, title) => void recipe.open(given, title)}
        onNew={recipe.clear}
      />
      {(problem ?? fault) && (
        <p role="alert" className={styles.problem}>
          {problem ?? fault}
        </p>
      )}
      <Builder recipe={recipe} forms={forms} isValid={isValid} />
      {(draft.steps.length > 0 || view.items.length > 0) && (
        <RunPanel
          runs={runs}
          view={view}
          draft={draft}
          isValid={isValid}
          onFiles={(files) => void recipe.add(files)}
        />
      )}
    </div>
  );
}

/** Keeps the recipe of the page and its files. Both outlive the page. */
function useRecipe() {
  const [draft, storeDraft] = useSessionState<Draft>('recipes/draft', EMPTY_DRAFT);
  const [name, setName] = useSessionState('recipes/name', '');
  const [selectedId, select] = useSessionState<string | undefined>('recipes/step', undefined);
  const [problem, setProblem] = useState<string>();
  const [runs] = useState(getRecipeRuns);
  const view = useSyncExternalStore(runs.batch.subscribe, runs.batch.view, () => NO_FILES);
  const fault = useFault(draft);
  const setDraft = (next: Draft) => {
    storeDraft(next);
    // It was about what was there before.
    setProblem(undefined);
  };
  const open = (given: unknown, title: string) =>
    readRecipe(given).then(
      (read) => {
        setDraft(read);
        setName(title);
        select(read.steps[0]?.id);
      },
      (thrown) => setProblem(getMessage(thrown)),
    );
  const add = async (chosen: readonly File[]) => {
    setProblem(undefined);
    const json = chosen.find((file) => file.name.endsWith('.json'));
    if (json) await open(await json.text(), json.name.replace(/\.json$/, ''));
    const files = (await recogniseFiles(chosen.filter((file) => file !== json))).map(({ file }) => file);
    const fitting = files.filter((file) => TOOL_LIST.some((tool) => fitsTool(tool, file)));
    const refused = files.filter((file) => !fitting.includes(file)).map((file) => file.name);
    if (refused.length > 0) setProblem(`Skipped: ${refused.slice(0, 5).join(', ')}. No tool reads them.`);
    if (fitting.length > 0) runs.batch.add(fitting);
  };
  const clear = () => {
    setDraft(EMPTY_DRAFT);
    setName('');
  };
  return { draft, setDraft, name, setName, selectedId, select, problem, runs, view, fault, open, add, clear };
}

interface BuilderProps {
  readonly recipe: ReturnType<typeof useRecipe>;
  readonly forms: StepForms;
  readonly isValid: boolean;
}

/** Steps of the recipe, what the selected one makes of the first file, and its settings. */
function Builder({ recipe, forms, isValid }: BuilderProps) {
  const { draft, setDraft, name, selectedId, select, view, open, add } = recipe;
  const sample = view.items[0]?.file;
  const preview = usePreview(draft, sample, isValid);
  const selected = draft.steps.find(({ id }) => id === selectedId) ?? draft.steps[0];
  const change = (next: Draft) => {
    const at = draft.steps.findIndex(({ id }) => id === selected?.id);
    setDraft(next);
    select(next.steps[at]?.id);
  };
  const addTool = (tool: Tool) => {
    const next = addStep(draft, tool, tool.slug === 'convert' ? { to_format: 'webp' } : {});
    setDraft(next);
    select(next.steps.at(-1)?.id);
  };
  return (
    <div className={styles.builder}>
      <section className={styles.column} aria-labelledby="recipe-steps">
        <h2 id="recipe-steps">Steps</h2>
        <StepList
          draft={draft}
          preview={preview}
          selectedId={selected?.id}
          onSelect={select}
          onDraft={setDraft}
        />
        <AddStep onAdd={addTool} />
      </section>
      <section className={styles.column} aria-labelledby="recipe-result">
        <h2 id="recipe-result">{selected ? nameStep(selected) : 'Result'}</h2>
        <PreviewStatus preview={preview} />
        {sample && selected ? (
          <BeforeAfter
            before={findBefore(sample, selected.from, preview)}
            files={preview.results.get(selected.id)?.files ?? []}
            failure={preview.isCurrent(selected.id) ? preview.results.get(selected.id)?.failure : undefined}
          />
        ) : (
          <EmptyPreview onFiles={(files) => void add(files)} />
        )}
      </section>
      <section className={styles.column} aria-labelledby="recipe-settings">
        <h2 id="recipe-settings">Settings</h2>
        {selected ? (
          <StepForm
            draft={draft}
            step={selected}
            forms={forms}
            files={listStepFiles(preview)}
            onDraft={change}
          />
        ) : (
          <p className="note">Pick a ready recipe above, or add a first step.</p>
        )}
        <JsonPanel draft={draft} name={name} onText={(text) => open(text, name)} />
      </section>
    </div>
  );
}

/** Names a step by its tool, and by its own name where that says more. */
function nameStep(step: DraftStep): string {
  const { name, slug } = getTool(step);
  return step.id === slug ? name : `${name}: ${step.id}`;
}

const NO_FILES = { items: [], isRunning: false } as const;

/** Loads the definitions of the operations with the first recipe, so that no page bundle contains them. */
async function readRecipe(given: unknown): Promise<Draft> {
  return (await import('./read-recipe.ts')).readRecipe(given);
}

/** Returns what is wrong with a recipe: null for nothing, undefined until that is known. */
function useFault(draft: Draft): string | null | undefined {
  // Where the definitions cannot be loaded, the run itself says what is wrong.
  return useLoaded(draft, () => findFault(draft).catch(() => null));
}

async function findFault(draft: Draft): Promise<string | null> {
  if (draft.steps.length === 0) return null;
  const { findRecipeFault } = await import('./read-recipe.ts');
  return findRecipeFault(toJson(draft)) ?? null;
}

function PreviewStatus({ preview: { progress } }: { readonly preview: Preview }) {
  return (
    <div className={styles.status} role="status">
      {progress && (
        <>
          <ProgressLine
            fraction={progress.fraction}
            label="Progress of the preview"
            words={describeProgress(progress)}
          />
          <span className="facts">{describeProgress(progress)}</span>
        </>
      )}
    </div>
  );
}

/** Returns the file that a step reads. */
function findBefore(sample: File, from: string, { results }: Preview): Blob {
  const files = results.get(getBase({ from }))?.files ?? [];
  return (findStepFile(files, from) ?? files[0])?.blob ?? sample;
}

/** Lists the names by which a step reads the files of others. */
function listStepFiles({ results }: Preview): ReadonlyMap<string, readonly string[]> {
  return new Map(
    [...results].map(([id, { files }]) => [
      id,
      // Names with numbers change with the seed.
      files.map(({ name }, at) => (/\d/.test(nameInStep(id, name)) ? String(at) : nameInStep(id, name))),
    ]),
  );
}

function AddStep({ onAdd }: { readonly onAdd: (tool: Tool) => void }) {
  return (
    <details className={styles.add}>
      <summary className="button">
        <Plus size={20} strokeWidth={1.5} aria-hidden />
        Add a step
      </summary>
      <ul aria-label="Tools">
        {TOOL_LIST.map((tool) => (
          <li key={tool.slug}>
            <button
              type="button"
              onClick={({ currentTarget }) => {
                currentTarget.closest('details')?.removeAttribute('open');
                onAdd(tool);
              }}
            >
              <tool.icon size={20} strokeWidth={1.5} aria-hidden />
              <b>{tool.name}</b>
              <small>{tool.brief}</small>
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Asks for the files that show what the steps make. */
function EmptyPreview({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  return (
    <div className={styles.empty}>
      <FolderOpen size={28} strokeWidth={1.5} aria-hidden />
      <p>Add files to see what each step does.</p>
      <ChooseFiles label="Choose files" className="button button-primary" onFiles={onFiles} />
      <SampleButton sample={KITTEN} className="button button-quiet" onFiles={onFiles}>
        Try it with a sample
      </SampleButton>
    </div>
  );
}
