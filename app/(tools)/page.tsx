import { readEnv } from '../../server/base/env.ts';
import { applyPricing } from '../../server/base/pricing.ts';
import styles from '../studio/home/sections.module.css';
import { ApiExample, DeviceMeaning, PriceList } from '../studio/home/sections.tsx';
import { ToolGrid, ToolList } from '../studio/home/tool-grid.tsx';
import { Welcome } from '../studio/home/welcome.tsx';

export default function HomePage() {
  const { PUBLIC_URL, TERMS } = readEnv();
  const operations = applyPricing(TERMS);
  return (
    <>
      <Welcome tools={<ToolList />} />
      <div className={styles.sections}>
        <ToolGrid operations={operations} />
        <DeviceMeaning />
        <PriceList operations={Object.values(operations)} />
        <ApiExample apiUrl={`${PUBLIC_URL}/api`} operation={operations['media-convert-image']} />
      </div>
    </>
  );
}
