import type { Metadata } from 'next';
import { SINGLE_OPERATIONS, WEIGHTS } from '../../../models/registry.ts';
import { DeviceReport } from './device-report.tsx';
import styles from './settings.module.css';
import { SharperSettings } from './sharper-settings.tsx';

export const metadata: Metadata = {
  title: 'Settings',
  description: 'Models, storage and what this device can do.',
};

/** Titles of all operations. They are read here because a page that only names them should not load them. */
const TITLES = Object.values(SINGLE_OPERATIONS).map(({ id, title }) => ({ id, title }));

/** Page of what this browser stores and may download, and of what its device can do. */
export default function SettingsPage() {
  return (
    <div className={styles.settings}>
      <h1>Settings</h1>
      <SharperSettings />
      <DeviceReport operations={TITLES} weights={WEIGHTS} />
    </div>
  );
}
