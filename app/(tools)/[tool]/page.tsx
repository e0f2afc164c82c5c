import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { needsGplEncoder } from '../../../models/media/image/gpl-formats.ts';
import { OPERATIONS } from '../../../models/registry.ts';
import { readEnv } from '../../../server/base/env.ts';
import type { Field } from '../../studio/tools/fields.ts';
import { readFields } from '../../studio/tools/read-fields.ts';
import type { Tool } from '../../studio/tools/tool.ts';
import { TOOL_LIST } from '../../studio/tools/tools.ts';
import { ToolParts } from './tool-parts.tsx';

interface ToolPageProps {
  readonly params: Promise<{ readonly tool: string }>;
}

export const dynamicParams = false;

export function generateStaticParams(): { readonly tool: string }[] {
  return TOOL_LIST.map(({ slug }) => ({ tool: slug }));
}

export async function generateMetadata({ params }: ToolPageProps): Promise<Metadata> {
  const { name, promise } = await findTool(params);
  return { title: name, description: promise };
}

export default async function ToolPage({ params }: ToolPageProps) {
  const { operationId, startValues = {} } = await findTool(params);
  const fields = readFields(OPERATIONS[operationId]).map((field) =>
    startWith(startValues[field.name], readEnv().GPL_ENCODERS ? field : withoutGplFormats(field)),
  );
  return <ToolParts operationId={operationId} fields={fields} />;
}

async function findTool(params: ToolPageProps['params']): Promise<Tool> {
  const { tool: slug } = await params;
  return TOOL_LIST.find((tool) => tool.slug === slug) ?? notFound();
}

function startWith(value: string | undefined, field: Field): Field {
  return value !== undefined && field.kind === 'choice' ? { ...field, initial: value } : field;
}

function withoutGplFormats(field: Field): Field {
  if (field.kind !== 'choice') return field;
  return { ...field, values: field.values.filter((value) => !needsGplEncoder(String(value))) };
}
