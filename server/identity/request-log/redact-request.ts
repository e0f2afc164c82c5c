/** Longest string of a body that is kept whole. A file in base64 is longer. */
const TEXT_LENGTH_MAX = 500;
const URL_LENGTH_MAX = 2_000;
/** Characters of a body that are kept: what comes after them is left out. */
const BODY_LENGTH_MAX = 4_000;
const TARGET_LENGTH_MAX = 1_000;

/** Texts in place of a secret, and at the beginning of what replaces anything long. */
const REDACTED = '[redacted]';
const LEFT_OUT = '[left out';

const SECRET_NAME = /key|token|secret|passw|passphrase|credential|signature|authorization|bearer|cookie/i;
/** Short names of secrets, which may be parts of harmless words: `author`, `spin`. */
const SECRET_WORDS: ReadonlySet<string> = new Set(['auth', 'sig', 'pin', 'jwt', 'otp', 'pass', 'pwd']);
/** Secret of a query that stands in a text without the URL's scheme: `/photo.png?sig=`. */
const SECRET_QUERY = new RegExp(
  `([?&;](?:[\\w.%-]*(?:key|token|secret|passw|signature)[\\w.%-]*|${[...SECRET_WORDS].join('|')})=)[^\\s&;#"'<>]+`,
  'gi',
);
/** Three parts in base64url, of which the first is a JSON object (RFC 7519). */
const JWT = /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g;
/** Value of an `Authorization` header (RFC 6750). */
const BEARER = /\bBearer [\w.~+/-]{16,}=*/gi;
/** Fields that carry a file, however short: `image_b64`. */
const FILE_NAME = /b64|base64/i;
const API_KEY = /\bmk_(test_|tok_)?[0-9a-f]{8}[\w-]{20,}/g;
const URL_START = /^\s*[a-z][a-z\d+.-]*:\/\//i;
const DATA_URL_START = /^\s*data:/i;
/**
 * Browsers leave quotes and parentheses in URLs as they are, and a password may have an @: what is doubtful goes, too.
 */
const URL_PARTS = /\b([a-z][a-z\d+.-]{1,30}:\/\/)([^\s/?#"<>]*@)?([^\s?#"<>]*)([?#][^\s"<>]*)?/gi;
const UPLOAD_PATH = /(\/v2\/+uploads\/+)[^\s?#/'"()<>]+/g;
/** NUL, which PostgreSQL stores in no text, and lone surrogates, which it stores in no JSON. */
const UNSTORABLE = /[\0\p{Cs}]/gu;

/**
 * Returns JSON in short: without files, without whatever could give access (API keys, secrets, the queries
 * and passwords of URLs), and cut where it gets long. The result is JSON of about 4,000 characters at most, and
 * storable.
 * @param textLengthMax longest string that is kept whole
 */
export function redactJson(body: object, textLengthMax = TEXT_LENGTH_MAX): object {
  let left = BODY_LENGTH_MAX;
  const shorten = (value: unknown, name: string): unknown => {
    if (typeof value === 'object' && value !== null) {
      if (!isSecretName(name)) return visit(value);
      left -= REDACTED.length;
      return REDACTED;
    }
    const kept = typeof value === 'string' ? shortenText(value, name, textLengthMax) : value;
    left -= String(kept).length;
    return kept;
  };
  const visit = (container: object): object => {
    const isList = Array.isArray(container);
    const entries: [string, unknown][] = [];
    // A list may have millions of members, and each index would become a string.
    const all = Object.keys(isList ? container.slice(0, BODY_LENGTH_MAX) : container);
    const count = isList ? container.length : all.length;
    for (const [at, name] of all.entries()) {
      left -= name.length + 4;
      if (left < 0) {
        entries.push(['…', `${LEFT_OUT}: ${count - at} more]`]);
        break;
      }
      entries.push([clean(name), shorten((container as Record<string, unknown>)[name], isList ? '' : name)]);
    }
    return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries);
  };
  return visit(body);
}

/** Reports whether a field or parameter is named like a secret. */
function isSecretName(name: string): boolean {
  const words = name.replace(/([a-z\d])([A-Z])/g, '$1 $2').split(/[^A-Za-z\d]+/);
  return SECRET_NAME.test(name) || words.some((word) => SECRET_WORDS.has(word.toLowerCase()));
}

function shortenText(text: string, name: string, lengthMax: number): string {
  if (isSecretName(name)) return REDACTED;
  const isLong = text.length > (URL_START.test(text) ? URL_LENGTH_MAX : lengthMax);
  if (isLong || FILE_NAME.test(name) || DATA_URL_START.test(text)) {
    return `${LEFT_OUT}: ${text.length} characters]`;
  }
  if (!URL_START.test(text)) return redactText(text);
  // All that follows the path belongs to the query, spaces and quotes included.
  const end = text.search(/[?#]/);
  return end < 0 ? redactText(text) : `${redactText(text.slice(0, end))}?${REDACTED}`;
}

/**
 * Returns the path and query of a request, without the values of parameters whose names say that they are secret,
 * without API keys and URLs of uploads.
 */
export function redactTarget({ pathname, searchParams }: Pick<URL, 'pathname' | 'searchParams'>): string {
  const query = [...searchParams]
    .map(([name, value]) => `${name}=${isSecretName(name) ? REDACTED : value}`)
    .join('&');
  return redactText(query === '' ? pathname : `${pathname}?${query}`).slice(0, TARGET_LENGTH_MAX);
}

/**
 * Returns a text that can be stored, without API keys, and without what gives access in a URL: a signed one does by its
 * query, another by a password before its host, and that of an upload by its path.
 */
export function redactText(text: string): string {
  const safe = text
    .replace(API_KEY, REDACTED)
    .replace(JWT, REDACTED)
    .replace(BEARER, `Bearer ${REDACTED}`)
    .replace(UPLOAD_PATH, `$1${REDACTED}`)
    .replace(
      URL_PARTS,
      (_, scheme: string, login: string | undefined, address: string, query: string | undefined) =>
        `${scheme}${login ? `${REDACTED}@` : ''}${address}${query ? `?${REDACTED}` : ''}`,
    );
  return clean(safe.replace(SECRET_QUERY, `$1${REDACTED}`));
}

/** Segment of a path that may be a token: long, and no word. The host is none. */
const TOKEN_SEGMENT = /(?<!\/)\/(?=[^/]*\d)[^\s/?#]{16,}/g;

/** Returns the URL of a receiver without what gives access to it: by a password, the query or a token in the path. */
export function redactReceiver(url: string): string {
  return redactText(url).replace(TOKEN_SEGMENT, `/${REDACTED}`);
}

const clean = (text: string): string => text.replace(UNSTORABLE, '\ufffd');
