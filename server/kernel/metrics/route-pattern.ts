import { CHANGES_PATH } from '../../api/changes';
import { ROUTES } from '../../api/routes';

const METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
]);

/** Every route of the service, in Express' notation. In the order in which Express compares them. */
const PATTERNS = [
  ...Object.values(ROUTES).flatMap(({ paths }): readonly string[] => paths),
  CHANGES_PATH,
  '/health',
  '/health/live',
  '/health/ready',
  '/metrics',
  '/openapi.json',
  '/admin/:command',
  '/internal/:command',
].map((pattern) => ({ pattern, segments: pattern.toLowerCase().split('/') }));

/** A method as a label: `other` for those that no route has. */
export const methodLabel = (method: string | undefined): string =>
  method !== undefined && METHODS.has(method) ? method : 'other';

/** The pattern of the route that a URL has; `unknown` for all others, so that clients cannot make new labels. */
export function routePattern(url = ''): string {
  if (url.startsWith('/rpc/')) return '/rpc/:secret';
  const path = url.split('?', 1)[0]?.replace(/\/$/, '') ?? '';
  const given = path.toLowerCase().split('/');
  const found = PATTERNS.find(
    ({ segments }) =>
      segments.length === given.length &&
      segments.every((one, index) =>
        one.startsWith(':') ? given[index] !== '' : one === given[index],
      ),
  );
  return found?.pattern ?? 'unknown';
}
