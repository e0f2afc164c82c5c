'use client';

import dynamic from 'next/dynamic';
import type { ComponentType } from 'react';
import type { OperationId } from '../../../models/registry.ts';
import type { Field } from '../../studio/tools/fields.ts';

interface ToolProps {
  /** Fields of the operation's params. */
  readonly fields: readonly Field[];
}

/** Every tool, loaded by its own page alone: leaving one out fails the type check. */
const TOOLS: Readonly<Record<OperationId, ComponentType<ToolProps>>> = {
  'media-convert-image': dynamic(
    async () => (await import('../../studio/convert/convert-tool.tsx')).ConvertTool,
  ),
  'remove-bg': dynamic(async () => (await import('../../studio/remove-bg/remove-bg-tool.tsx')).RemoveBgTool),
  'image-moderation': dynamic(
    async () => (await import('../../studio/moderate/moderate-tool.tsx')).ModerateTool,
  ),
  upscale: dynamic(async () => (await import('../../studio/upscale/upscale-tool.tsx')).UpscaleTool),
  'image-outpaint': dynamic(async () => (await import('../../studio/extend/extend-tool.tsx')).ExtendTool),
  'audio-diarize': dynamic(async () => (await import('../../studio/diarize/diarize-tool.tsx')).DiarizeTool),
  'audio-separate-stems': dynamic(async () => (await import('../../studio/stems/stems-tool.tsx')).StemsTool),
};

interface ToolPartsProps extends ToolProps {
  readonly operationId: OperationId;
}

/** Shows the parts of a tool. */
export function ToolParts({ operationId, fields }: ToolPartsProps) {
  const Tool = TOOLS[operationId];
  return <Tool fields={fields} />;
}
