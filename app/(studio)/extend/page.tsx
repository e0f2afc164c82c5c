import type { Metadata } from 'next';
import { OPERATIONS } from '../../../models/registry.ts';
import { readFields } from '../tools/read-fields.ts';
import { TOOLS } from '../tools/tools.ts';
import { ExtendTool } from './extend-tool.tsx';

const OPERATION = OPERATIONS['image-outpaint'];

export const metadata: Metadata = {
  title: TOOLS[OPERATION.id].name,
  description: TOOLS[OPERATION.id].promise,
};

export default function ExtendPage() {
  return <ExtendTool fields={readFields(OPERATION)} />;
}
