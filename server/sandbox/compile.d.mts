/** Compiles the sandbox's contracts into `outfile`, unless it is up to date (types of compile.mjs). */
export function compileSandbox(outfile: string): Promise<void>;
