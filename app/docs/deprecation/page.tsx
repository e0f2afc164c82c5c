import { DEPRECATION_DAYS } from '../../../models/core/operation/deprecation.ts';
import { listDeprecations } from '../../../server/api/deprecations.ts';
import { readEnv } from '../../../server/base/env.ts';
import { applyPricing } from '../../../server/base/pricing.ts';
import { SiteLink } from '../../ui/site-link.tsx';
import { FieldList, Guide, GuidePart, guideMetadata } from '../guide.tsx';

const HREF = '/docs/deprecation';
export const metadata = guideMetadata(HREF);

const HEADERS = [
  { name: 'Deprecation', text: 'Since when the route is deprecated: @ and seconds since 1970 (RFC 9745).' },
  { name: 'Sunset', text: 'From when on the route may be gone, as an HTTP date (RFC 8594).' },
  { name: 'Link', text: 'This page, with rel="deprecation".' },
];

export default function DeprecationPage() {
  const deprecated = [...listDeprecations(applyPricing(readEnv().TERMS))];
  return (
    <Guide
      href={HREF}
      lead={
        <p>
          Routes, fields and values stay for at least 6 months ({DEPRECATION_DAYS} days) after we announce
          their end.
        </p>
      }
    >
      <GuidePart
        id="policy"
        title="What may change"
        text={
          <>
            <p>
              We add routes, optional fields, members of responses, error codes and engines at any time.
              Ignore what you do not know.
            </p>
            <p>
              Anything else is a change that can break a program. We announce it in the{' '}
              <SiteLink href="/docs/changelog">changelog</SiteLink> with its date, and on each response of the
              route for at least {DEPRECATION_DAYS} days. A new version has a new path, and the old one stays
              as long.
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
