import type { Metadata } from 'next';
import { z } from 'zod';
import { SINGLE_OPERATIONS } from '../../../models/registry.ts';
import { RecipesPage } from '../../studio/recipes/recipes-page.tsx';
import type { StepForms } from '../../studio/recipes/step-form.tsx';
import { readFields, readMeanings } from '../../studio/tools/read-fields.ts';
import { TOOLS } from '../../studio/tools/tools.ts';

export const metadata: Metadata = {
  title: 'Recipes',
  description: 'Run several tools one after the other over many files, on your device or by the API.',
};

export default function Page() {
  return <RecipesPage forms={readForms()} />;
}

/** Reads the form of each tool from its operation's schema, so that no page bundle contains the schemas. */
function readForms(): StepForms {
  const forms = Object.values(SINGLE_OPERATIONS).map((operation) => {
    const { required = [] } = z.toJSONSchema(operation.params, { io: 'input' });
    return [
      TOOLS[operation.id].slug,
      { fields: readFields(operation), required, meanings: readMeanings(operation) },
    ];
  });
  return Object.fromEntries(forms);
}
