import type { Metadata } from 'next';
import { OPERATIONS } from '../../../models/registry.ts';
import { readFields } from '../tools/read-fields.ts';
import { TOOLS } from '../tools/tools.ts';
import { RemoveBgTool } from './remove-bg-tool.tsx';

const OPERATION = OPERATIONS['remove-bg'];

export const metadata: Metadata = {
  title: TOOLS[OPERATION.id].name,
  description: TOOLS[OPERATION.id].promise,
};

export default function RemoveBgPage() {
  return <RemoveBgTool fields={readFields(OPERATION)} />;
}
