'use client';

import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { getMessage } from '../../../models/core/operation/errors.ts';
import { SHIPPED_RECIPES } from '../../../models/pipeline/recipes.ts';
import { useSignedIn } from '../../account/use-signed-in.ts';
import { type Draft, toJson, toRecipeName } from './draft.ts';
import styles from './recipes.module.css';
import {
  deleteOnDevice,
  listPresets,
  listSaved,
  recipeChanges,
  saveOnDevice,
  savePreset,
} from './saved-recipes.ts';

interface LibraryProps {
  readonly name: string;
  readonly draft: Draft;
  /** Whether the recipe can be saved. */
  readonly isValid: boolean;
  readonly onName: (name: string) => void;
  readonly onOpen: (recipe: unknown, name: string) => void;
  readonly onNew: () => void;
}

/** Recipe that can be opened. */
interface Listed {
  readonly name: string;
  readonly title: string;
  readonly brief: string;
  readonly recipe: unknown;
}

const SHIPPED: readonly Listed[] = SHIPPED_RECIPES.map(({ name, title, brief, steps, outputs }) => ({
  name,
  title,
  brief,
  recipe: { steps, outputs },
}));

/** Ready and saved recipes, and the name under which the present one is saved, once it has a step. */
export function Library({ name, draft, isValid, onName, onOpen, onNew }: LibraryProps) {
  const isSignedIn = useSignedIn();
  const { saved, presets } = useSavedRecipes(isSignedIn);
  const [words, say] = useState('');
  const recipeName = toRecipeName(name);
  const library = useRef<HTMLElement>(null);
  const open: LibraryProps['onOpen'] = (recipe, title) => {
    say('');
    onOpen(recipe, title);
  };
  const begin = () => {
    say('');
    onNew();
    // The form that holds the pressed button goes.
    library.current?.focus({ preventScroll: true });
  };
  const save = (saving: Promise<string>) => saving.then(say, (thrown) => say(getMessage(thrown)));
  return (
    <section ref={library} className={styles.library} aria-label="Library" tabIndex={-1}>
      <Shelf label="Ready recipes" recipes={SHIPPED} onOpen={open} />
      {saved.length > 0 && (
        <Shelf label="Saved on this device" recipes={saved} onOpen={open} onDelete={deleteOnDevice} />
      )}
      {presets.length > 0 && <Shelf label="Saved in your account" recipes={presets} onOpen={open} />}
      {draft.steps.length > 0 && (
        <form
          className={styles.save}
          onSubmit={(event) => {
            event.preventDefault();
            void save(
              saveOnDevice(recipeName, toJson(draft)).then(() => `Saved as ${recipeName} on this device.`),
            );
          }}
        >
          <label>
            <span>Name</span>
            <input
              value={name}
              placeholder="my-recipe"
              maxLength={64}
              onChange={(event) => onName(event.currentTarget.value)}
            />
          </label>
          <button type="submit" className="button" disabled={!isValid || !recipeName}>
            Save on this device
          </button>
          {isSignedIn && (
            <button
              type="button"
              className="button"
              disabled={!isValid || !recipeName}
              onClick={() =>
                void save(
                  savePreset(recipeName, toJson(draft)).then(
                    ({ version }) => `Saved as ${recipeName}, version ${version}, in your account.`,
                  ),
                )
              }
            >
              Save in your account
            </button>
          )}
          <button type="button" className="button button-quiet" onClick={begin}>
            New recipe
          </button>
          <p role="status" className="note">
            {words}
          </p>
        </form>
      )}
    </section>
  );
}

/** Reads the recipes of this browser, and of the account of a visitor who is signed in. */
function useSavedRecipes(isSignedIn: boolean): {
  readonly saved: readonly Listed[];
  readonly presets: readonly Listed[];
} {
  const changes = useSyncExternalStore(recipeChanges.subscribe, recipeChanges.get, () => 0);
  const [saved, setSaved] = useState<readonly Listed[]>([]);
  const [presets, setPresets] = useState<readonly Listed[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again after each change
  useEffect(() => {
    let isWanted = true;
    listSaved().then((all) => {
      if (isWanted)
        setSaved(all.map(({ name, recipe }) => ({ name, title: name, brief: describe(recipe), recipe })));
    });
    // Without a network there are only those of the device.
    const reading = isSignedIn ? listPresets().catch(() => []) : Promise.resolve([]);
    reading.then((all) => {
      if (!isWanted) return;
      setPresets(
        all.map((preset) => ({
          name: preset.name,
          title: preset.name,
          brief: `${describe(preset)}, version ${preset.version}`,
          recipe: preset,
        })),
      );
    });
    return () => {
      isWanted = false;
    };
  }, [changes, isSignedIn]);
  return { saved, presets };
}

function describe({ steps }: { readonly steps: readonly object[] }): string {
  return steps.length === 1 ? '1 step' : `${steps.length} steps`;
}

interface ShelfProps {
  readonly label: string;
  readonly recipes: readonly Listed[];
  readonly onOpen: LibraryProps['onOpen'];
  readonly onDelete?: (name: string) => Promise<void>;
}

function Shelf({ label, recipes, onOpen, onDelete }: ShelfProps) {
  const [problem, setProblem] = useState('');
  const remove = (name: string) =>
    onDelete?.(name).then(
      () => setProblem(''),
      (thrown) => setProblem(getMessage(thrown)),
    );
  return (
    <div className={styles.shelf}>
      <h2>{label}</h2>
      <ul aria-label={label}>
        {recipes.map(({ name, title, brief, recipe }) => (
          <li key={name}>
            <button type="button" className={styles.card} onClick={() => onOpen(recipe, name)}>
              <b>{title}</b>
              <small>{brief}</small>
            </button>
            {onDelete && (
              <button
                type="button"
                className="button button-quiet"
                aria-label={`Delete ${title} from this device`}
                onClick={() => void remove(name)}
              >
                Delete
              </button>
            )}
          </li>
        ))}
      </ul>
      <p role="alert" className={styles.failure}>
        {problem}
      </p>
    </div>
  );
}
