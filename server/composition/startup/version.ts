import { version } from '../../../package.json';

/** Version of Forklens, from its package.json. */
export const VERSION = version;
