import type { TestProject } from 'vitest/node';
import { launchChromiumServer } from '../../../lab/support/chromium.ts';

/** Starts one Chromium for all test files of a project. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const server = await launchChromiumServer();
  provide('chromiumUrl', server.wsEndpoint());
  return () => server.close();
}
