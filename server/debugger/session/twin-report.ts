/** What is said of the unoptimized builds of a recording's codes. */
export interface TwinReport {
  /** Effects of the frames whose code was replaced, and of those whose code could be. */
  readonly same: number;
  readonly of: number;
  /** Why there is no twin at all. */
  readonly reason?: string;
  readonly codes: readonly {
    /** Index of the executed code. */
    readonly code: number;
    /** How its build was compiled; undefined: there is none. */
    readonly settings?: string;
    /** Why the executed code is shown; undefined: the build is. */
    readonly reason?: string;
    /** Step of the executed code at which the build differs. */
    readonly step?: number;
    /** Version of the compiler that has to be installed. */
    readonly missing?: string;
  }[];
  /** Indices of executed codes in whose build `gasleft()` is not proved. */
  readonly unprovedGas: readonly number[];
}
