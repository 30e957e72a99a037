/** Shorter parts of a path or query are not keys. */
const MIN_KEY_LENGTH = 6;
/** A label of a host name of this length is not a word. */
const MIN_HOST_KEY_LENGTH = 16;
/** Parts of paths that are not secret and that messages need. */
const WORDS =
  /^(mainnet|testnet|sepolia|holesky|hoodi|ethereum|polygon|arbitrum|optimism|avalanche|public|archive|jsonrpc|json-rpc|nodes?)$/i;

/** Names of authentication schemes (RFC 9110 §11.1). */
const SCHEMES = /^(basic|bearer|digest|token)$/i;

/**
 * Finds the parts of an endpoint's URL that may be keys: parts of the path, values of the query, user and password, long host labels.
 * @param headers values of headers that are sent to it
 * @returns a function that removes them, and whole URLs, from a text that the endpoint sent
 */
export function redactorOf(url: URL, headers: readonly string[] = []): (text: string) => string {
  const parts = [
    ...url.pathname.split('/').filter((part) => part.length >= MIN_KEY_LENGTH && !WORDS.test(part)),
    ...[...url.searchParams.values()].filter((value) => value.length >= MIN_KEY_LENGTH),
    ...url.hostname.split('.').filter((label) => label.length >= MIN_HOST_KEY_LENGTH),
    ...[url.username, url.password].filter((part) => part !== ''),
    // `Bearer <token>`: the token alone as well.
    ...headers
      .flatMap((value) => [value, ...value.split(/\s+/)])
      .filter((part) => part.length >= MIN_KEY_LENGTH && !SCHEMES.test(part)),
  ];
  if (url.username !== '' || url.password !== '') {
    const pair = `${decoded(url.username)}:${decoded(url.password)}`;
    parts.push(Buffer.from(pair).toString('base64'));
  }
  const secrets = [
    ...new Set(parts.flatMap((part) => [part, decoded(part), encodeURIComponent(part)])),
  ].sort((a, b) => b.length - a.length);
  return (text) =>
    secrets.reduce((rest, secret) => rest.replaceAll(secret, '<key>'), withoutUrls(text));
}

/** Nodes behind proxies repeat their own address, including the provider key, in some errors. */
const withoutUrls = (text: string): string =>
  text.replace(/\b(?:https?|wss?):\/\/[^\s"'<>)\]]+/gi, '<endpoint>');

/** An error's data, redacted. Hex bytes, such as those of a revert, are not changed. */
export function redactedData(data: unknown, redact: (text: string) => string): unknown {
  if (typeof data === 'string') return /^0x[0-9a-f]*$/i.test(data) ? data : redact(data);
  if (Array.isArray(data)) return data.map((one) => redactedData(one, redact));
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [redact(key), redactedData(value, redact)]),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
