import type { Metadata } from 'next';
import { OPERATIONS } from '../../../models/registry.ts';
import { readFields } from '../tools/read-fields.ts';
import { TOOLS } from '../tools/tools.ts';
import { UpscaleTool } from './upscale-tool.tsx';

const OPERATION = OPERATIONS.upscale;

export const metadata: Metadata = {
  title: TOOLS[OPERATION.id].name,
  description: TOOLS[OPERATION.id].promise,
};

export default function UpscalePage() {
  return <UpscaleTool fields={readFields(OPERATION)} />;
}
