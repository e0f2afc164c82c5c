import type { Metadata } from 'next';
import { OPERATIONS } from '../../../models/registry.ts';
import type { Field } from '../tools/fields.ts';
import { readFields } from '../tools/read-fields.ts';
import { TOOLS } from '../tools/tools.ts';
import { StemsTool } from './stems-tool.tsx';

const OPERATION = OPERATIONS['audio-separate-stems'];

export const metadata: Metadata = {
  title: TOOLS[OPERATION.id].name,
  description: TOOLS[OPERATION.id].promise,
};

export default function StemsPage() {
  return <StemsTool fields={readFields(OPERATION).map(withFourStems)} />;
}

/** Musicians come for four stems; the API's default stays two. */
function withFourStems(field: Field): Field {
  return field.kind === 'choice' && field.name === 'stems' ? { ...field, initial: 'four' } : field;
}
