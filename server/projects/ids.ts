import { randomBytes } from 'node:crypto';

/** A new identifier: `<kind>_` and 32 lower-case hex digits from the system's CSPRNG. */
export const newId = (kind: 'user' | 'project'): string =>
  `${kind}_${randomBytes(16).toString('hex')}`;
