/** `long`: the suites of other projects as well (`npm run test:clients -- --long`). */
export const FORM = process.env['CLIENTS_FORM'] === 'long' ? 'long' : 'short';

/** Writes the table of the run into `test/README.md` (`--update`). */
export const UPDATE = process.env['CLIENTS_UPDATE'] !== undefined;

/** Folder of checkouts, by the name of the suite (`--suites FOLDER`); undefined: they are cloned into the cache folder. */
export const SUITES = process.env['CLIENTS_SUITES'];

/** The only suites to run, by their names (`--only NAME,NAME`). */
export const ONLY = process.env['CLIENTS_ONLY']?.split(',');
