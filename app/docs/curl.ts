/** Request with a body of JSON. */
export interface JsonRequest {
  readonly url: string;
  /** Header that carries the key. */
  readonly header: string;
  readonly body: object;
}

/** Returns a request as a shell command. */
export function writeCurl({ url, header, body }: JsonRequest): string {
  return [
    `curl ${url} \\`,
    `  -H "${header}" -H "Content-Type: application/json" \\`,
    `  -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`,
  ].join('\n');
}
