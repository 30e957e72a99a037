import type { Outcome, Refusal } from '../outcomes';

/** The tests of another project, at a fixed version. */
export interface ForeignSuite {
  /** Also the name of its folder in `--suites FOLDER`. */
  name: string;
  /** The version in the table. */
  version: string;
  /** On GitHub. */
  repository: string;
  tag: string;
  /** Folders of the repository that are checked out. */
  folders: readonly string[];
  /** Packages from npm, version by name. */
  packages: Readonly<Record<string, string>>;
  /** Nodes mine on request only. */
  manual?: true;
  /** Prepares the copy of the checkout in which the tests run. */
  prepare: (folder: string) => Promise<void>;
  /** @param url URL of the node */
  run(folder: string, url: string): Promise<Map<string, Outcome>>;
  refusals: readonly Refusal[];
}
