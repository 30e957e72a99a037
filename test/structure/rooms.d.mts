// Types of rooms.mjs, for tests.
export interface Room {
  readonly name: string;
  readonly purpose: string;
  readonly imports: readonly string[];
}
export const ROOMS: readonly Room[];
export function importFault(file: string, specifier: string): string | undefined;
