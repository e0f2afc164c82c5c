import { readEnv } from '../../../server/base/env.ts';
import { isStripeConfigured } from '../../../server/money/stripe/index.ts';
import { SiteLink } from '../../ui/site-link.tsx';
import { FieldList, Guide, GuidePart, guideMetadata } from '../guide.tsx';

const HREF = '/docs/privacy';
export const metadata = guideMetadata(HREF);

const STORED = [
  { name: 'Files', text: 'Inputs and results of jobs on the server, each behind a signed link.' },
  {
    name: 'Links in the studio',
    text: 'The server fetches a file that you add by its link, passes it to your browser, and deletes it.',
  },
  {
    name: 'Jobs',
    text: 'Params, reference, metadata, URL of the input, state, error, price, and the name of the self-hosted worker that ran it.',
  },
  {
    name: 'Account',
    text: 'E-mail address, name, passkeys, hashes of password and API keys.',
  },
  { name: 'Sessions', text: 'Network address and browser of each, while it lasts.' },
  { name: 'Team', text: 'Members with their roles, and addresses of open invitations.' },
  {
    name: 'Record of actions',
    text: 'Sign-ins, changes in the dashboard and studio jobs, with the network address, for all members to see.',
  },
  {
    name: 'Log of requests',
    text: 'Requests to the API: path, status, network address, program, and JSON without files and secrets, for members who may see jobs.',
  },
  { name: 'Ledger', text: 'Every movement of money.' },
];

const COOKIES = [
  { name: 'session', text: 'Who is signed in. No script can read it.' },
  { name: 'theme, language, mode', text: 'Your choices. They identify no person.' },
];

export default function PrivacyPage() {
  return (
    <Guide
      href={HREF}
      lead={
        <p>
          What runs on your device stays there. What you send to the server is used for your job alone: no
          training, no advertising, no trackers.
        </p>
      }
      aside={
        <p>
          See also <SiteLink href="/docs/retention">how long</SiteLink> and{' '}
          <SiteLink href="/docs/data-location">where</SiteLink> data is kept.
        </p>
      }
    >
      <GuidePart id="stored" title="What we store">
        <FieldList fields={STORED} />
      </GuidePart>
      <GuidePart id="others" title="Who else receives data">
        <FieldList fields={listReceivers(readEnv())} />
      </GuidePart>
      <GuidePart id="cookies" title="Cookies">
        <FieldList fields={COOKIES} />
      </GuidePart>
    </Guide>
  );
}

/** Lists who receives what, as this service is set up. */
function listReceivers(env: ReturnType<typeof readEnv>) {
  return [
    {
      name: 'Payments',
      text: isStripeConfigured(env)
        ? 'Stripe receives your e-mail address and what you pay. Card numbers never reach us.'
        : 'No payment provider is set up.',
    },
    {
      name: 'Mail',
      text: env.SMTP_URL ? 'The operator’s mail server receives mails to your address.' : 'No mail is sent.',
    },
    {
      name: 'Model servers',
      text:
        env.INFERENCE_ENDPOINTS.size > 0
          ? 'Some models run on model servers of the operator, which receive the samples.'
          : 'None: all models run on the service’s own machines.',
    },
    {
      name: 'Traces',
      text: env.OTEL_EXPORTER_OTLP_ENDPOINT
        ? 'A collector of the operator receives times and ids of requests.'
        : 'None are sent.',
    },
    {
      name: 'Your own URLs',
      text: 'Webhooks, events and results for your bucket go there, and inputs come from there.',
    },
  ];
}
