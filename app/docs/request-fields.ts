import { z } from 'zod';
import { withFreeFormats } from '../../models/gpl-formats.ts';
import type { Operation } from '../../models/operation.ts';
import { requestSchema } from '../../models/request.ts';

/** Field of a request, as the docs list it. */
export interface RequestField {
  readonly name: string;
  readonly isRequired: boolean;
  /** Accepted values: `jpg, png`, `1 to 100`, `true or false`. Empty for any text. */
  readonly values: string;
  /** Default as JSON has it. */
  readonly initial?: string;
  readonly description: string;
}

/**
 * Lists the fields of an operation's JSON body, from the schema that checks it.
 * @param options.gplEncoders whether formats that need GPL encoders are available
 */
export function requestFields(
  operation: Operation,
  { gplEncoders }: { readonly gplEncoders: boolean },
): readonly RequestField[] {
  const shown = gplEncoders ? operation : { ...operation, params: withFreeFormats(operation.params) };
  const { properties = {}, required = [] } = z.toJSONSchema(requestSchema(shown), { io: 'input' });
  return Object.entries(properties).map(([name, schema]) => {
    const property = typeof schema === 'object' ? schema : {};
    return {
      name,
      isRequired: required.includes(name),
      values: valuesOf(property),
      ...(property.default !== undefined && { initial: String(property.default) }),
      description: property.description ?? '',
    };
  });
}

function valuesOf({ enum: all, type, minimum, maximum }: z.core.JSONSchema.BaseSchema): string {
  if (all) return all.join(', ');
  if (type === 'boolean') return 'true or false';
  return minimum !== undefined && maximum !== undefined ? `${minimum} to ${maximum}` : '';
}
