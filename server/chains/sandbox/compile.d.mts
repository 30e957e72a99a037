/** Compiles the sandbox's contracts into a folder, unless its files are up to date (types of compile.mjs). */
export function compileSandbox(folder: string): Promise<void>;
