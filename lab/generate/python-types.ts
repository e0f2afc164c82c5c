import type { z } from 'zod';

type Schema = z.core.JSONSchema.JSONSchema;

/** Text of a Python type, and the classes that it needs, which stand before it. */
interface PythonType {
  readonly text: string;
  readonly classes: readonly string[];
}

const SIMPLE: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};
const ANY: PythonType = { text: 'Any', classes: [] };

/**
 * Returns the classes of an object's JSON schema, as typed dictionaries: its own last. Fields that may be absent lie in
 * a class of their own, since older versions of Python mark them in no other way.
 * @param name of the class
 */
export function typedDict(name: string, { properties = {}, required = [] }: Schema): string[] {
  const fields = Object.entries(properties).map(([field, schema]): Field => {
    const type = pythonType(`${name}${pascalCase(field)}`, Object(schema));
    return { field, type, isRequired: required.includes(field) };
  });
  const classes = fields.flatMap(({ type }) => type.classes);
  const always = fields.filter(({ isRequired }) => isRequired);
  const sometimes = fields.filter(({ isRequired }) => !isRequired);
  if (sometimes.length === 0) return [...classes, declare(name, 'TypedDict', always)];
  if (always.length === 0) return [...classes, declare(name, 'TypedDict, total=False', sometimes)];
  const first = `_${name}Required`;
  return [...classes, declare(first, 'TypedDict', always), declare(name, `${first}, total=False`, sometimes)];
}

interface Field {
  readonly field: string;
  readonly type: PythonType;
  readonly isRequired: boolean;
}

/** Names of fields that Python does not allow as those of attributes. */
const KEYWORDS: readonly string[] = ['from', 'class', 'def', 'import', 'in', 'is', 'pass', 'global', 'with'];

function declare(name: string, bases: string, fields: readonly Field[]): string {
  if (!fields.some(({ field }) => KEYWORDS.includes(field))) {
    const lines = fields.map(({ field, type }) => `    ${field}: ${type.text}`);
    return `class ${name}(${bases}):\n${lines.length > 0 ? lines.join('\n') : '    pass'}`;
  }
  const entries = fields.map(({ field, type }) => `        "${field}": ${type.text},`);
  const inCall = (own: string, total: string) =>
    `${own} = TypedDict(\n    "${own}",\n    {\n${entries.join('\n')}\n    },\n${total})`;
  if (bases === 'TypedDict') return inCall(name, '');
  if (!bases.startsWith('_')) return inCall(name, '    total=False,\n');
  const own = `_${name}Optional`;
  return `${inCall(own, '    total=False,\n')}\n\n\nclass ${name}(${bases.split(',')[0]}, ${own}):\n    pass`;
}

function pythonType(name: string, schema: Schema): PythonType {
  const { enum: values, const: constant, anyOf, oneOf, type, items, $ref } = schema;
  if ($ref !== undefined) return { text: $ref.split('/').at(-1) ?? 'Any', classes: [] };
  const choices = values ?? (constant === undefined ? undefined : [constant]);
  if (choices) return { text: literal(choices), classes: [] };
  const variants = anyOf ?? oneOf;
  if (variants)
    return getUnion(variants.map((variant, at) => pythonType(`${name}${at || ''}`, Object(variant))));
  if (Array.isArray(type)) return getUnion(type.map((each) => pythonType(name, { ...schema, type: each })));
  if (type === 'array') {
    const item = items === undefined || items === true ? ANY : pythonType(`${name}Item`, Object(items));
    return { text: `List[${item.text}]`, classes: item.classes };
  }
  if (type === 'object') return objectType(name, schema);
  return { text: (type !== undefined && SIMPLE[type]) || 'Any', classes: [] };
}

function objectType(name: string, schema: Schema): PythonType {
  const { properties, additionalProperties } = schema;
  const isOpen = typeof additionalProperties === 'object';
  if (properties && !isOpen) return { text: name, classes: typedDict(name, schema) };
  const member = properties ? ANY : pythonType(name, Object(additionalProperties));
  return { text: `Dict[str, ${member.text}]`, classes: member.classes };
}

function getUnion(types: readonly PythonType[]): PythonType {
  const texts = [...new Set(types.map(({ text }) => text))];
  const text = texts.length === 1 ? (texts[0] ?? 'Any') : `Union[${texts.join(', ')}]`;
  return { text, classes: types.flatMap(({ classes }) => classes) };
}

/** Returns the literal type of JSON values, which Python writes in other words. */
export function literal(values: readonly unknown[]): string {
  // A literal holds no fractions.
  if (values.some((value) => typeof value === 'number' && !Number.isInteger(value))) return 'float';
  return `Literal[${values.map(pythonValue).join(', ')}]`;
}

/** Writes a JSON value in Python. */
export function pythonValue(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}: ${pythonValue(member)}`,
  );
  return `{${members.join(', ')}}`;
}

/** Returns the name of a class: `MediaConvertImage` for `media-convert-image`. */
export function pascalCase(name: string): string {
  return name
    .split(/[^a-zA-Z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
