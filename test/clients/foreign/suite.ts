import type { Outcome, Refusal } from '../outcomes';

/** The tests of another project, at a fixed version. */
export interface ForeignSuite {
  /** Also the name of its folder in `--suites FOLDER`. */
  name: string;
  /** As the table says it. */
  version: string;
  /** On GitHub. */
  repository: string;
  tag: string;
  /** What is taken of the repository. */
  folders: readonly string[];
  /** Installed from npm, by name. */
  packages: Readonly<Record<string, string>>;
  /** Nodes mine on request only. */
  manual?: true;
  /** Prepares the copy of the checkout in which the tests run. */
  prepare: (folder: string) => Promise<void>;
  /** @param url of the node */
  run(folder: string, url: string): Promise<Map<string, Outcome>>;
  refusals: readonly Refusal[];
}
