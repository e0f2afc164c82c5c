import type { Metadata } from 'next';
import { OPERATIONS } from '../../../models/registry.ts';
import { readFields } from '../params/read-fields.ts';
import { TOOLS } from '../tools/tools.ts';
import { StemsTool } from './stems-tool.tsx';

const OPERATION = OPERATIONS['audio-separate-stems'];

export const metadata: Metadata = {
  title: TOOLS[OPERATION.id].name,
  description: TOOLS[OPERATION.id].promise,
};

export default function StemsPage() {
  return <StemsTool fields={readFields(OPERATION)} />;
}
