import type { Metadata } from 'next';
import { isOperationId, OPERATIONS } from '../../../models/registry.ts';
import { WEIGHTS } from '../../../models/weights/catalog.ts';
import { DeviceReport } from './device-report.tsx';

export const metadata: Metadata = {
  title: 'This device',
  description: 'What this device can do, found by trying, and where each operation would run.',
};

/** What all operations are is known here: a page that only names them need not load them. */
const TITLES = Object.values(OPERATIONS).map(({ id, title }) => ({ id, title }));
const OFFERED = WEIGHTS.filter(({ operation }) => isOperationId(operation));

export default function DevicePage() {
  return <DeviceReport operations={TITLES} weights={OFFERED} />;
}
