import { z } from 'zod';

/** Returns params with which an operation runs: the first choice of each param that has no default. */
export function requiredParams(params: z.ZodObject): object {
  const { properties = {}, required = [] } = z.toJSONSchema(params, { io: 'input' });
  const getFirst = (name: string) => {
    const property = properties[name];
    return typeof property === 'object' ? property.enum?.[0] : undefined;
  };
  return Object.fromEntries(required.map((name) => [name, getFirst(name)]));
}
