import { version } from '../package.json';

/** Version of Forklens, as in its package. */
export const VERSION = version;
