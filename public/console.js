// The API console at /docs/console: Scalar on this service's own OpenAPI document.
const { nonce } = document.currentScript;

// Scalar writes its styles into elements without a nonce, which the page's policy refuses.
const createElement = document.createElement.bind(document);
document.createElement = (name, options) => {
  const element = createElement(name, options);
  if (String(name).toLowerCase() === 'style') element.nonce = nonce;
  return element;
};

const DOCUMENT = '/api/openapi.json';
/** Begins what stands in the log for what it does not keep. */
const NOT_KEPT = /^\[(redacted|left out)|\?\[redacted\]$/;

/** Whether the dashboard shows test data: requests of a signed-in visitor run as tests then. */
const isTest = document.cookie.split('; ').includes('darkroom_mode=test');

document.addEventListener('DOMContentLoaded', async () => {
  const place = document.getElementById('console');
  if (!globalThis.Scalar) {
    place.textContent = 'The console could not be loaded. Check your connection, then reload the page.';
    return;
  }
  const replay = await readReplay();
  // Before the form is drawn, which takes seconds.
  say(replay);
  const source = replay?.document ? { content: replay.document } : { url: DOCUMENT };
  place.textContent = '';
  const chosen = document.documentElement.dataset.theme;
  const isDark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  globalThis.Scalar.createApiReference(place, {
    ...source,
    // The page's own origin: its policy lets it ask no other.
    servers: [{ url: `${location.origin}/api` }],
    theme: 'none',
    forceDarkModeState: isDark ? 'dark' : 'light',
    hideDarkModeToggle: true,
    withDefaultFonts: false,
    documentDownloadType: 'none',
    defaultOpenAllTags: true,
    ...(isTest && {
      onBeforeRequest: ({ request }) => request.headers.set('x-darkroom-mode', 'test'),
    }),
    // Whatever leads to its maker's services.
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
  });
  if (replay?.operation) openOperation(replay.operation);
});

/**
 * Reads the request of the log that the page's address names, and fills it into the OpenAPI document.
 * @returns undefined where it names none, and a problem where that cannot be filled in
 */
async function readReplay() {
  const id = new URLSearchParams(location.search).get('replay');
  if (id === null) return undefined;
  try {
    const input = encodeURIComponent(JSON.stringify({ id }));
    const [logged, openapi] = await Promise.all([
      fetch(`/api/trpc/requests.get?input=${input}`),
      fetch(DOCUMENT),
    ]);
    if (!logged.ok)
      return { problem: 'That request is not in the log of the account that is signed in here.' };
    const request = (await logged.json()).result.data;
    return fillIn(await openapi.json(), request);
  } catch {
    return { problem: 'The request could not be read. Check your connection, then reload the page.' };
  }
}

/** Makes a logged request the example of its operation: Scalar begins with the examples. */
function fillIn(openapi, { method, path, body }) {
  const url = new URL(path, location.origin);
  const target = url.pathname.replace(/^\/api/, '');
  const template = Object.keys(openapi.paths).find(
    (each) => openapi.paths[each][method.toLowerCase()] && patternOf(each).test(target),
  );
  if (!template) return { problem: 'The console has no such operation.' };
  const item = openapi.paths[template];
  const operation = item[method.toLowerCase()];
  const { groups = {} } = patternOf(template).exec(target);
  const values = {
    ...Object.fromEntries(url.searchParams),
    ...groups,
    // A new one: with the old one the first response would come again.
    'Idempotency-Key': crypto.randomUUID(),
  };
  operation.parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((parameter) =>
    withExample(resolve(openapi, parameter), values),
  );
  delete item.parameters;
  const given = body === null ? undefined : JSON.parse(body);
  const content =
    operation.requestBody && resolve(openapi, operation.requestBody).content['application/json'];
  if (content && given !== undefined) {
    delete content.example;
    content.examples = { logged: { summary: 'The logged request', value: given } };
  }
  // Drawing all operations would take many seconds, and only this one is asked for.
  openapi.paths = { [template]: { [method.toLowerCase()]: operation } };
  openapi.tags = openapi.tags?.filter(({ name }) => operation.tags?.includes(name));
  return { document: openapi, operation: { method, template }, missing: listMissing(given) };
}

function withExample(parameter, values) {
  if (values[parameter.name] === undefined) return parameter;
  const { examples, ...rest } = parameter;
  // Scalar sends what is optional only once its box is ticked.
  return { ...rest, required: true, example: values[parameter.name] };
}

/** Returns the pattern of a path whose template has names in braces. */
function patternOf(template) {
  return new RegExp(`^${template.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
}

/** Returns a part of the document, which may only name another. */
function resolve(openapi, part) {
  if (!part.$ref) return part;
  return part.$ref
    .slice(2)
    .split('/')
    .reduce((parent, name) => parent[name], openapi);
}

/** Lists the fields of which the log keeps no values, such as `image_b64` or `items[0].image_url`. */
function listMissing(value, path = '') {
  if (typeof value === 'string') return NOT_KEPT.test(value) ? [path] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const own = Array.isArray(value) ? `[${name}]` : path === '' ? name : `.${name}`;
    return listMissing(member, path + own);
  });
}

/** Says what a request would do, before it is sent. */
function say(replay) {
  const sentences = [];
  if (replay?.problem) sentences.push(replay.problem);
  if (replay?.operation) {
    sentences.push('Nothing is sent before you press Send.');
    if (replay.missing.length > 0) {
      sentences.push(`The log lacks ${replay.missing.slice(0, 3).join(', ')}: fill that in again.`);
    }
    if (!isTest) sentences.push('A new job is charged.');
  }
  if (isTest)
    sentences.push('Test data is shown: without a key, requests cost nothing and have made-up results.');
  const notice = document.getElementById('notice');
  notice.textContent = sentences.join(' ');
  // Stays in view above the form, which covers the page.
  notice.dataset.above = String(replay?.operation !== undefined);
}

/** Opens the form of an operation. Scalar draws its parts one after the other: a press that comes too early is lost. */
function openOperation({ method, template }) {
  const isIts = (button) =>
    button.textContent.toLowerCase().includes(`(${method.toLowerCase()} ${template})`);
  let tries = 0;
  const timer = setInterval(() => {
    const isOpen = document.querySelector('[role="dialog"]')?.checkVisibility();
    tries += 1;
    if (isOpen || tries > 400) return clearInterval(timer);
    const button = [...document.querySelectorAll('button.show-api-client-button')].find(isIts);
    button?.scrollIntoView({ block: 'center' });
    button?.click();
  }, 300);
}
