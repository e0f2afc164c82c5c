import { problemOf } from '../../models/operation/errors.ts';
import { type DescribedError, ERROR_DESCRIPTIONS } from '../../server/http/openapi/error-descriptions.ts';
import { FieldList } from './field-list.tsx';
import type { ListedField } from './listed-field.ts';

/** Statuses of failed requests, the codes that share each, and what they mean. */
export function ErrorList() {
  return <FieldList fields={statuses()} />;
}

/** Lists the faults by their HTTP status. */
function statuses(): readonly ListedField[] {
  const faults = Object.keys(ERROR_DESCRIPTIONS) as DescribedError[];
  const found = new Map<number, DescribedError[]>();
  for (const fault of faults) {
    const { status } = problemOf(fault);
    found.set(status, [...(found.get(status) ?? []), fault]);
  }
  return [...found]
    .sort(([one], [other]) => one - other)
    .map(([status, codes]) => ({
      name: String(status),
      note: problemOf(codes[0] ?? 'internal').title,
      text: codes.map((code) => ERROR_DESCRIPTIONS[code]).join(' '),
      values: codes.join(', '),
    }));
}
