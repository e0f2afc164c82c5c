import { ERROR_CODES, ERRORS, type ErrorCode } from '../../models/core/operation/error-table.ts';
import { FieldList } from './field-list.tsx';
import type { ListedField } from './listed-field.ts';

/** Statuses of failed requests, the codes that share each, and what they mean. */
export function ErrorList() {
  return <FieldList fields={statuses()} />;
}

/** Lists the errors by their HTTP status. */
function statuses(): readonly ListedField[] {
  const found = new Map<number, ErrorCode[]>();
  for (const code of ERROR_CODES) {
    const { status } = ERRORS[code];
    found.set(status, [...(found.get(status) ?? []), code]);
  }
  return [...found]
    .sort(([one], [other]) => one - other)
    .map(([status, codes]) => ({
      name: String(status),
      note: [...new Set(codes.map((code) => ERRORS[code].title))].join(', '),
      text: codes.map((code) => ERRORS[code].description).join(' '),
      values: codes.join(', '),
    }));
}
