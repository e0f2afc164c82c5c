import type postgres from 'postgres';

/** Selects that list the objects of the schema, each a line. */
const LISTS = {
  types: `select typname || ': ' || string_agg(enumlabel, ', ' order by enumsortorder)
    from pg_type join pg_enum on enumtypid = pg_type.oid where typnamespace = 'public'::regnamespace group by typname`,
  relations: `select relname || ' ' || relkind::text || relpersistence::text from pg_class
    where relnamespace = 'public'::regnamespace and relkind <> 'c'`,
  columns: `select concat_ws(' ', relname, attnum, attname, format_type(atttypid, atttypmod), attnotnull,
      attidentity::text, attgenerated::text, pg_get_expr(adbin, adrelid))
    from pg_class join pg_attribute on attrelid = pg_class.oid
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'v') and attnum > 0`,
  constraints: `select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
    where connamespace = 'public'::regnamespace`,
  indexes: `select pg_get_indexdef(indexrelid) from pg_index join pg_class on pg_class.oid = indrelid
    where relnamespace = 'public'::regnamespace`,
  triggers: `select pg_get_triggerdef(pg_trigger.oid) || tgenabled::text from pg_trigger
    join pg_class on pg_class.oid = tgrelid where relnamespace = 'public'::regnamespace and not tgisinternal`,
  functions: `select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace`,
  views: `select viewname || ' ' || definition from pg_views where schemaname = 'public'`,
  sequences: `select concat_ws(' ', sequencename, data_type, start_value, min_value, max_value, increment_by, cycle)
    from pg_sequences where schemaname = 'public'`,
};

/** Describes the schema of a database: for each kind of objects their number and the MD5 of their definitions. */
export async function describeSchema(sql: postgres.Sql): Promise<Record<string, string>> {
  const described: Record<string, string> = {};
  for (const [kind, list] of Object.entries(LISTS)) {
    const [row] = await sql.unsafe<{ text: string }[]>(
      `select count(*) || ' ' || md5(string_agg(line, chr(10) order by line collate "C")) as text from (${list}) as list (line)`,
    );
    described[kind] = row?.text ?? '';
  }
  return described;
}
