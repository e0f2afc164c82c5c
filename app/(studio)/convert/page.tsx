import type { Metadata } from 'next';
import { OPERATIONS } from '../../../models/registry.ts';
import { fieldsOf } from '../frame/read-fields.ts';
import { TOOLS } from '../tools.ts';
import { ConvertTool } from './convert-tool.tsx';

const OPERATION = OPERATIONS['media-convert-image'];

export const metadata: Metadata = {
  title: OPERATION.title,
  description: TOOLS[OPERATION.id].promise,
};

export default function ConvertPage() {
  return <ConvertTool fields={fieldsOf(OPERATION)} />;
}
