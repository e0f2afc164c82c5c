import type { Metadata } from 'next';
import { SINGLE_OPERATIONS, WEIGHTS } from '../../../models/registry.ts';
import { readEnv } from '../../../server/base/env.ts';
import { listWeights } from '../../../server/runtime/weight-store/index.ts';
import { DeviceReport } from './device-report.tsx';
import { ServerDownloads } from './server-downloads.tsx';

export const metadata: Metadata = {
  title: 'This device',
  description: 'What this device can do, tested in your browser, and where each operation runs.',
};

/** Titles of all operations. They are read here because a page that only names them should not load them. */
const TITLES = Object.values(SINGLE_OPERATIONS).map(({ id, title }) => ({ id, title }));

export default async function DevicePage() {
  const { fetching } = await listWeights(readEnv());
  return (
    <DeviceReport operations={TITLES} weights={WEIGHTS}>
      <ServerDownloads downloads={fetching} />
    </DeviceReport>
  );
}
