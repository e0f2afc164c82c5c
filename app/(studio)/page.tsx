import { OPERATIONS } from '../../models/registry.ts';
import { readEnv } from '../../server/env.ts';
import { ApiExample } from './home/api-example.tsx';
import { DeviceMeaning } from './home/device-meaning.tsx';
import { PriceList } from './home/price-list.tsx';
import styles from './home/sections.module.css';
import { ToolGrid } from './home/tool-grid.tsx';
import { Welcome } from './home/welcome.tsx';

export default function HomePage() {
  const operations = Object.values(OPERATIONS);
  return (
    <>
      <Welcome />
      <div className={styles.sections}>
        <ToolGrid />
        <DeviceMeaning />
        <PriceList operations={operations} />
        <ApiExample apiUrl={`${readEnv().PUBLIC_URL}/api`} operation={OPERATIONS['media-convert-image']} />
      </div>
    </>
  );
}
