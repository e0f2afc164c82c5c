import { resolve } from 'node:path';
import { buildWhenNeeded } from '../../server/build.ts';

/** What runs the product as its own processes needs the product built. */
export async function setup(): Promise<void> {
  await buildWhenNeeded(resolve(import.meta.dirname, '../..'));
}
