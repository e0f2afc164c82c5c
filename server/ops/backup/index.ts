export { createBackup } from './create-backup.ts';
export type { Manifest } from './manifest.ts';
export { restoreBackup } from './restore-backup.ts';
