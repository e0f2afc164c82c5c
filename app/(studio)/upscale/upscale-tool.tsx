'use client';

import type { Field } from '../frame/fields.ts';
import { ToolFrame } from '../frame/tool-frame.tsx';
import { UPSCALE_WORDING } from './wording.ts';

export function UpscaleTool({ fields }: { readonly fields: readonly Field[] }) {
  return <ToolFrame operationId="upscale" fields={fields} wording={UPSCALE_WORDING} />;
}
