import { formatUsd } from '../../../models/core/operation/money.ts';
import { SINGLE_OPERATIONS } from '../../../models/registry.ts';
import { readEnv } from '../../../server/base/env.ts';
import { applyPricing } from '../../../server/base/pricing/index.ts';
import { readFields } from '../../studio/tools/read-fields.ts';
import { exampleBody, exampleRequest } from '../example-request.ts';
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
    fields: readFields(operation),
    required: Object.keys(exampleBody(priced[id])),
    price: Object.values(priced[id].rates)
      .map(({ amount, per }) => `$${formatUsd(amount)} per ${per}`)
      .join(', '),
    example: exampleRequest(`${PUBLIC_URL}/api`, priced[id]),
  }));
  return (
    <Guide href={HREF} lead={<p>Runs on our server, as your own code would.</p>}>
      <TryForm operations={operations} />
    </Guide>
  );
}
