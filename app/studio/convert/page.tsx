import type { Metadata } from 'next';
import { needsGplEncoder } from '../../../models/media/video/gpl-formats.ts';
import { OPERATIONS } from '../../../models/registry.ts';
import { readEnv } from '../../../server/base/env.ts';
import type { Field } from '../params/fields.ts';
import { readFields } from '../params/read-fields.ts';
import { TOOLS } from '../tools/tools.ts';
import { ConvertTool } from './convert-tool.tsx';

const OPERATION = OPERATIONS['media-convert-image'];

export const metadata: Metadata = {
  title: TOOLS[OPERATION.id].name,
  description: TOOLS[OPERATION.id].promise,
};

export default function ConvertPage() {
  const fields = readFields(OPERATION);
  return <ConvertTool fields={readEnv().GPL_ENCODERS ? fields : fields.map(withoutGplFormats)} />;
}

function withoutGplFormats(field: Field): Field {
  if (field.kind !== 'choice') return field;
  return { ...field, values: field.values.filter((value) => !needsGplEncoder(String(value))) };
}
