import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatUsd } from '../../../models/core/operation/money.ts';
import type { OperationId } from '../../../models/registry.ts';
import { readEnv } from '../../../server/base/env.ts';
import { applyPricing } from '../../../server/base/pricing.ts';
import { SiteLink } from '../../ui/site-link.tsx';
import { CodeBlock } from '../code-block.tsx';
import { Example } from '../example.tsx';
import { Guide, GuidePart, guideMetadata } from '../guide.tsx';

const HREF = '/docs/shop';
export const metadata = guideMetadata(HREF);

const PYTHON = `import json, os
from darkroom import Client

with open("recipe.json") as file:
    recipe = json.load(file)
os.makedirs("shop", exist_ok=True)

with Client(origin=os.environ["DARKROOM_URL"], api_key=os.environ["DARKROOM_KEY"]) as client:
    for photo in os.listdir("photos"):
        job = client.pipelines.run(f"photos/{photo}", recipe)
        for result in job["output"]["files"]:
            client.download(result["url"], f"shop/{result['name']}")`;

const COMMAND = `darkroom run recipe.json photos/ --out shop/
darkroom run recipe.json photos/ --out shop/ --quote   # the price alone
darkroom run recipe.json photos/ --out shop/ --local   # on this machine, at no charge`;

const PRESET = `curl -X PUT "$DARKROOM_URL/api/v2/presets/shop" \\
  -H "Authorization: Bearer $DARKROOM_KEY" \\
  -H "Content-Type: application/json" -d @recipe.json

# A request names it, with changes for one step.
{ "image_url": "https://example.com/otter.jpg",
  "preset": "shop", "overrides": { "thumb": { "width": 300 } } }`;

/** Photos of the example of a price. */
const PHOTOS = 100n;

export default function ShopPage() {
  return (
    <Guide
      href={HREF}
      lead={
        <p>
          A recipe does all that a photo needs in one job. This one checks it, cuts out the product, puts it
          on white and makes a thumbnail.
        </p>
      }
    >
      <RecipePart />
      <GuidePart
        id="send"
        title="Send it with each photo"
        text={
          <p>
            <code>output.files</code> have names, such as <code>otter-shop.webp</code>;{' '}
            <code>output.steps.safe</code> has the verdict. <code>POST /v2/pipelines/batch</code> takes up to
            100 photos at once.
          </p>
        }
      >
        <Example name="recipe" label="A folder of photos" />
        <CodeBlock label="The same by the Python client" canCopy>
          {PYTHON}
        </CodeBlock>
      </GuidePart>
      <GuidePart
        id="command"
        title="Or run one command"
        text={
          <p>
            It says the price first, and sends four photos at a time. After a break the next call does the
            rest. <SiteLink href="/docs/clients">Clients and command</SiteLink> says how to install it.
          </p>
        }
      >
        <CodeBlock label="The same by the command" canCopy>
          {COMMAND}
        </CodeBlock>
      </GuidePart>
      <GuidePart
        id="studio"
        title="Or use the page"
        text={
          <p>
            <SiteLink href="/recipes">Recipes</SiteLink> reads the same file by <em>Open JSON</em>. See each
            step on one photo, then run all: on your device at no charge, or on the server at the price shown.
          </p>
        }
      />
      <GuidePart
        id="preset"
        title="Save it under a name"
        text={
          <p>
            A preset keeps the recipe at the service. Each change is a new version: <code>shop</code> is the
            newest, <code>shop@3</code> stays as it was.
          </p>
        }
      >
        <CodeBlock label="Save and use a preset">{PRESET}</CodeBlock>
      </GuidePart>
      <PricePart />
    </Guide>
  );
}

async function RecipePart() {
  const recipe = await readFile(join(process.cwd(), 'clients/examples/recipe.json'), 'utf8');
  return (
    <GuidePart
      id="recipe"
      title="Write the recipe"
      text={
        <>
          <p>
            Each step reads the photo, which is <code>input</code>, or an earlier step, with the{' '}
            <code>params</code> of a single request. Only the <code>outputs</code> are kept.
          </p>
          <p>
            With <code>&quot;stop_if_flagged&quot;: true</code> next to its params, <code>safe</code> runs
            first and ends the job if it flags the photo.
          </p>
        </>
      }
    >
      <CodeBlock label="recipe.json" canCopy>
        {recipe.trimEnd()}
      </CodeBlock>
    </GuidePart>
  );
}

function PricePart() {
  const operations = applyPricing(readEnv().TERMS);
  const amountOf = (id: OperationId) => operations[id].rates.image?.amount ?? 0n;
  const cut = amountOf('remove-bg');
  const convert = amountOf('media-convert-image');
  const check = amountOf('image-moderation');
  const photo = cut + 2n * convert + check;
  const price = (amount: bigint) => `$${formatUsd(amount)}`;
  return (
    <GuidePart
      id="price"
      title="Price"
      text={
        <p>
          The sum of its steps: {price(cut)} to cut out, twice {price(convert)} to convert, {price(check)} to
          check. That is {price(photo)} a photo, and {price(PHOTOS * photo)} for a hundred.
        </p>
      }
    />
  );
}
