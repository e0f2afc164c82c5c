'use client';

import type { Field } from '../frame/fields.ts';
import { ToolFrame } from '../frame/tool-frame.tsx';
import { CONVERT_WORDING } from './wording.ts';

export function ConvertTool({ fields }: { readonly fields: readonly Field[] }) {
  return <ToolFrame operationId="media-convert-image" fields={fields} wording={CONVERT_WORDING} />;
}
