import type { Metadata } from 'next';
import { OPERATIONS } from '../../../models/registry.ts';
import { TOOLS } from '../tools/tools.ts';
import { SafetyTool } from './moderate-tool.tsx';

const OPERATION = OPERATIONS['image-moderation'];

export const metadata: Metadata = {
  title: TOOLS[OPERATION.id].name,
  description: TOOLS[OPERATION.id].promise,
};

export default function SafetyPage() {
  return <SafetyTool />;
}
