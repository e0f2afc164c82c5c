/** Value that JSON can hold, and so the database and every message between processes. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
