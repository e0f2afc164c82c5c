import type { Metadata } from 'next';
import { OPERATIONS } from '../../../models/registry.ts';
import { readFields } from '../tools/read-fields.ts';
import { TOOLS } from '../tools/tools.ts';
import { WhoSpokeTool } from './diarize-tool.tsx';

const OPERATION = OPERATIONS['audio-diarize'];

export const metadata: Metadata = {
  title: TOOLS[OPERATION.id].name,
  description: TOOLS[OPERATION.id].promise,
};

export default function WhoSpokePage() {
  return <WhoSpokeTool fields={readFields(OPERATION)} />;
}
