// The API console at /docs/console: Scalar on this service's own OpenAPI document.
const { nonce } = document.currentScript;

// Scalar writes its styles into elements without a nonce, which the page's policy refuses.
const createElement = document.createElement.bind(document);
document.createElement = (name, options) => {
  const element = createElement(name, options);
  if (String(name).toLowerCase() === 'style') element.nonce = nonce;
  return element;
};

document.addEventListener('DOMContentLoaded', () => {
  const place = document.getElementById('console');
  if (!globalThis.Scalar) {
    place.textContent = 'The console could not be loaded. Check your connection, then reload the page.';
    return;
  }
  place.textContent = '';
  const chosen = document.documentElement.dataset.theme;
  const isDark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  globalThis.Scalar.createApiReference(place, {
    url: '/api/openapi.json',
    // The page's own origin: its policy lets it ask no other.
    servers: [{ url: `${location.origin}/api` }],
    theme: 'none',
    forceDarkModeState: isDark ? 'dark' : 'light',
    hideDarkModeToggle: true,
    withDefaultFonts: false,
    documentDownloadType: 'none',
    defaultOpenAllTags: true,
    // Whatever leads to its maker's services.
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
  });
});
