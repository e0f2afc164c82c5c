import { DEPRECATION_DAYS } from '../../../models/core/operation/deprecation.ts';
import { listDeprecations } from '../../../server/api/deprecations.ts';
import { readEnv } from '../../../server/base/env.ts';
import { applyPricing } from '../../../server/base/pricing.ts';
import { SiteLink } from '../../ui/site-link.tsx';
import { FieldList, Guide, GuidePart, guideMetadata } from '../guide.tsx';

const HREF = '/docs/deprecation';
export const metadata = guideMetadata(HREF);

const HEADERS = [
  { name: 'Deprecation', text: 'Since when it is deprecated: @ and seconds since 1970 (RFC 9745).' },
  { name: 'Sunset', text: 'When it may be gone, as an HTTP date (RFC 8594).' },
  { name: 'Link', text: 'This page, with rel="deprecation".' },
];

export default function DeprecationPage() {
  const deprecated = [...listDeprecations(applyPricing(readEnv().TERMS))];
  return (
    <Guide
      href={HREF}
      lead={
        <p>
          Routes, fields and values stay for at least {DEPRECATION_DAYS} days after we announce their end.
        </p>
      }
    >
      <GuidePart
        id="policy"
        title="What may change"
        text={
          <>
            <p>
              We add routes, optional fields, members of responses, error codes and engines at any time:
              ignore what you do not know.
            </p>
            <p>
              Other changes have a date in the <SiteLink href="/docs/changelog">changelog</SiteLink>, a new
              path, and these headers on each response of the old route:
            </p>
          </>
        }
      >
        <FieldList fields={HEADERS} />
      </GuidePart>
      <GuidePart
        id="deprecated"
        title="Deprecated now"
        text={deprecated.length === 0 && <p>Nothing is deprecated.</p>}
      >
        <FieldList
          fields={deprecated.map(([route, { since, sunset }]) => ({
            name: route,
            text: `Deprecated since ${since}, may be gone from ${sunset}.`,
          }))}
        />
      </GuidePart>
    </Guide>
  );
}
