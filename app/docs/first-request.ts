/**
 * Returns a request for a shell that works from any machine: its input is a sample of this service, and comes with it.
 * @param origin of the service, without a trailing slash
 * @param apiKey key, or the shell variable that holds it
 */
export function firstRequest(origin: string, apiKey: string): string {
  const sample = `$(curl -s ${origin}/samples/lemur-small.jpg | base64 | tr -d '\\n')`;
  return [
    `curl ${origin}/api/v1/remove-bg \\`,
    `  -H "Authorization: Bearer ${apiKey}" \\`,
    '  -H "Content-Type: application/json" \\',
    `  -d "{\\"image_b64\\": \\"${sample}\\"}"`,
  ].join('\n');
}
