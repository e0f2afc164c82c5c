import Link from 'next/link';
import { OPERATIONS } from '../models/registry.ts';

export default function HomePage() {
  return (
    <main>
      <h1>Darkroom</h1>
      <p>Media processing by HTTP, paid from a prepaid wallet.</p>
      <ul>
        {Object.values(OPERATIONS).map((operation) => (
          <li key={operation.id}>
            <code>POST /api{operation.path}</code>: {operation.summary}
          </li>
        ))}
      </ul>
      <p>
        <Link href="/api/openapi.json">OpenAPI description</Link>
      </p>
    </main>
  );
}
