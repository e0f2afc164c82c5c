import { resolve } from 'node:path';
import { buildWhenNeeded } from '../../../server/build/build.ts';

/** Builds the product, for tests that run its own processes. */
export async function setup(): Promise<void> {
  await buildWhenNeeded(resolve(import.meta.dirname, '../../..'));
}
