// Types of folders.mjs, for tests.
export interface Folder {
  readonly name: string;
  readonly purpose: string;
  readonly imports: readonly string[];
}
export const FOLDERS: readonly Folder[];
export function importFault(file: string, specifier: string): string | undefined;
export const SERVER_WINGS: readonly (readonly [name: string, purpose: string])[];
