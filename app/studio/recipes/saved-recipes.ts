import type { DBSchema } from 'idb';
import type { components } from '../../../clients/typescript/src/openapi.ts';
import { Cell } from '../../../models/core/cell.ts';
import { openOnce } from '../../../workers/runtime/browser-store.ts';
import type { RecipeJson } from './draft.ts';

/** Recipe saved in this browser. */
export interface SavedRecipe {
  readonly name: string;
  readonly recipe: RecipeJson;
  /** Milliseconds since the epoch. */
  readonly savedAtMs: number;
}

export type Preset = components['schemas']['Preset'];

interface Schema extends DBSchema {
  recipes: { key: string; value: SavedRecipe };
}

const open = openOnce<Schema>('darkroom-recipes', (database) => {
  database.createObjectStore('recipes', { keyPath: 'name' });
});

/** Number of changes by this page, on the device and in the account. */
export const recipeChanges = new Cell(0);

const announceChange = () => recipeChanges.set((before) => before + 1);

/** Lists the recipes of this browser by name; none where it stores nothing. */
export async function listSaved(): Promise<readonly SavedRecipe[]> {
  return await open().then(
    (database) => database.getAll('recipes'),
    () => [],
  );
}

/** Saves a recipe in this browser, in the place of one of the same name. @throws DOMException without storage */
export async function saveOnDevice(name: string, recipe: RecipeJson): Promise<void> {
  await (await open()).put('recipes', { name, recipe, savedAtMs: Date.now() });
  announceChange();
}

export async function deleteOnDevice(name: string): Promise<void> {
  await (await open()).delete('recipes', name);
  announceChange();
}

/** Lists the presets of the signed-in account. @throws Error with the server's message */
export async function listPresets(): Promise<readonly Preset[]> {
  const { presets } = await call<components['schemas']['Presets']>('/api/v2/presets');
  return presets;
}

/**
 * Saves a recipe as the next version of a preset.
 * @param recipe as JSON has it: the server says what is wrong
 * @throws Error with the server's message
 */
export async function savePreset(name: string, recipe: unknown): Promise<Preset> {
  const saved = await call<Preset>(`/api/v2/presets/${name}`, {
    method: 'PUT',
    body: JSON.stringify(recipe),
  });
  announceChange();
  return saved;
}

/** Reads a preset by its name, or a version of it: `shop@3`. @throws Error with the server's message */
export async function getPreset(reference: string): Promise<Preset> {
  return await call<Preset>(`/api/v2/presets/${reference}`);
}

/** Deletes a preset with all its versions. @throws Error with the server's message */
export async function deletePreset(name: string): Promise<void> {
  await call(`/api/v2/presets/${name}`, { method: 'DELETE' });
  announceChange();
}

/** Sends a request with the visitor's session. */
async function call<Response>(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(path, { ...init, headers: { 'content-type': 'application/json' } }).catch(
    () => {
      throw new Error('The server cannot be reached. Check your connection and try again.');
    },
  );
  const body: { readonly message?: string } = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(body.message ?? 'The server did not respond as expected. Try again.');
  return body as Response;
}
