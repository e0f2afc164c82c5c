import type { Metadata } from 'next';
import { OPERATIONS } from '../../../models/registry.ts';
import { readFields } from '../params/read-fields.ts';
import { TOOLS } from '../tools/tools.ts';
import { WhoSpokeTool } from './who-spoke-tool.tsx';

const OPERATION = OPERATIONS['audio-diarize'];

export const metadata: Metadata = {
  title: TOOLS[OPERATION.id].name,
  description: TOOLS[OPERATION.id].promise,
};

export default function WhoSpokePage() {
  return <WhoSpokeTool fields={readFields(OPERATION)} />;
}
