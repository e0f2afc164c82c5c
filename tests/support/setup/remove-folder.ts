import { rm } from 'node:fs/promises';

/**
 * Removes a folder of a test, if it exists. What the service still does in the background after its last response, such
 * as storing weights, may write a file while the folder is emptied: the removal then begins again.
 */
export const removeFolder = (path: string): Promise<void> =>
  rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
