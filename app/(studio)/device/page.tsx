import type { Metadata } from 'next';
import { OPERATIONS } from '../../../models/registry.ts';
import { DeviceReport } from './device-report.tsx';

export const metadata: Metadata = {
  title: 'This device',
  description: 'What this device can do, found by trying, and where each operation would run.',
};

export default function DevicePage() {
  return <DeviceReport operations={Object.values(OPERATIONS).map(({ id, title }) => ({ id, title }))} />;
}
