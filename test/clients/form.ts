/** `long`: also runs the suites of other projects (`npm run test:clients -- --long`). */
export const FORM = process.env['CLIENTS_FORM'] === 'long' ? 'long' : 'short';

/** Writes the table of the run into `test/README.md` (`--update`). */
export const UPDATE = process.env['CLIENTS_UPDATE'] !== undefined;

/** Folder of checkouts, named after their suites (`--suites FOLDER`); undefined: suites are cloned into the cache folder. */
export const SUITES = process.env['CLIENTS_SUITES'];

/** Names of the only suites to run (`--only NAME,NAME`). */
export const ONLY = process.env['CLIENTS_ONLY']?.split(',');
