import { resolve } from 'node:path';
import { buildWhenNeeded } from '../../../server/ops/build/build.ts';

/** Builds the product, for tests that run its own processes. */
export async function setup(): Promise<void> {
  await buildWhenNeeded(resolve(import.meta.dirname, '../../..'));
}
