import { formatUsd } from '../../../models/core/operation/money.ts';
import { IMAGE_FORMATS } from '../../../models/media/image/formats.ts';
import { SINGLE_OPERATIONS } from '../../../models/registry.ts';
import { readEnv } from '../../../server/base/env.ts';
import { applyPricing } from '../../../server/base/pricing.ts';
import type { Field } from '../../studio/tools/fields.ts';
import { readFields, readMeanings } from '../../studio/tools/read-fields.ts';
import { exampleBody, keyHeader } from '../example-request.ts';
import { Guide, guideMetadata } from '../guide.tsx';
import { TryForm } from './try-form.tsx';

const HREF = '/docs/try';

export const metadata = guideMetadata(HREF);

/** A form for each operation, which sends a request to the API and shows its result. */
export default function TryPage() {
  const { PUBLIC_URL, TERMS } = readEnv();
  const priced = applyPricing(TERMS);
  const operations = Object.values(SINGLE_OPERATIONS).map(({ id, title, ...operation }) => ({
    id,
    title,
    fields: readFields(operation).map(withoutAliases),
    descriptions: readMeanings(priced[id]),
    price: Object.values(priced[id].rates)
      .map(({ amount, per }) => `$${formatUsd(amount)} per ${per}`)
      .join(', '),
    example: {
      url: `${PUBLIC_URL}/api${priced[id].path}`,
      header: keyHeader(priced[id]),
      body: exampleBody(priced[id]),
    },
  }));
  return (
    <Guide href={HREF} lead={<p>Runs on our server, as your own code would.</p>}>
      <TryForm operations={operations} />
    </Guide>
  );
}

/** Leaves out further names of a format, such as `jpeg` for `jpg`. */
function withoutAliases(field: Field): Field {
  if (field.kind !== 'choice') return field;
  const isAlias = (value: string | number) =>
    IMAGE_FORMATS.some(({ targetNames: [first, ...others] }) => {
      const further: readonly string[] = others;
      return further.includes(String(value)) && field.values.includes(first);
    });
  return { ...field, values: field.values.filter((value) => !isAlias(value)) };
}
