import type { Metadata } from 'next';
import { z } from 'zod';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { listOwnEngines } from '../../../models/core/runtime/fit.ts';
import { SINGLE_OPERATIONS } from '../../../models/registry.ts';
import { RecipesPage } from '../../studio/recipes/recipes-page.tsx';
import type { StepForms } from '../../studio/recipes/step-form.tsx';
import { readFields } from '../../studio/tools/read-fields.ts';
import { TOOL_LIST } from '../../studio/tools/tools.ts';

export const metadata: Metadata = {
  title: 'Recipes',
  description: 'Run several tools one after the other over many files, on your device or by the API.',
};

export default function Page() {
  return <RecipesPage forms={readForms()} />;
}

/** Reads the form of each tool from its operation's schema, so that no page bundle contains the schemas. */
function readForms(): StepForms {
  const forms = TOOL_LIST.map(({ operationId, slug }) => {
    const operation: Operation = SINGLE_OPERATIONS[operationId];
    const { required = [] } = z.toJSONSchema(operation.params, { io: 'input' });
    const engines = listOwnEngines(operation).map(({ id, name }) => [id, name]);
    return [slug, { fields: readFields(operation), required, engines: Object.fromEntries(engines) }];
  });
  return Object.fromEntries(forms);
}
