/** `long`: all hardforks, more seeds and larger blocks (`npm run test:fidelity -- --long`). */
export const FORM = process.env['FIDELITY_FORM'] === 'long' ? 'long' : 'short';

/** Tells also what is not right and says so (`--verbose`). */
export const VERBOSE = process.env['FIDELITY_VERBOSE'] !== undefined;

/** Writes the table of the run into `test/README.md` (`--update`). */
export const UPDATE = process.env['FIDELITY_UPDATE'] !== undefined;
