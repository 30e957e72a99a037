/** `long`: all hardforks, more seeds and larger blocks (`npm run test:fidelity -- --long`). */
export const FORM = process.env['FIDELITY_FORM'] === 'long' ? 'long' : 'short';

/** Also prints marked answers (`--verbose`). */
export const VERBOSE = process.env['FIDELITY_VERBOSE'] !== undefined;

/** Writes the table of the run into `test/README.md` (`--update`). */
export const UPDATE = process.env['FIDELITY_UPDATE'] !== undefined;

/** The only seed of the random sources to run (`--seed N`). */
export const SEED =
  process.env['FIDELITY_SEED'] === undefined ? undefined : Number(process.env['FIDELITY_SEED']);

/** Folder of go-ethereum's tracer cases (`--geth-cases DIR`). */
export const GETH_CASES = process.env['FIDELITY_GETH_CASES'];

/** Folder with real blocks of OP Sepolia (`--kona-blocks DIR`). */
export const KONA_BLOCKS = process.env['FIDELITY_KONA_BLOCKS'];

/** Folder with real blocks of mainnet, of Osaka with BPO2 (`--osaka-block DIR`). */
export const OSAKA_BLOCK = process.env['FIDELITY_OSAKA_BLOCK'];

/** Root of a checkout of ethereum/execution-apis (`--execution-apis DIR`). */
export const EXECUTION_APIS = process.env['FIDELITY_EXECUTION_APIS'];
