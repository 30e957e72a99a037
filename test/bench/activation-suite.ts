import { extensionUnderTest } from '../vscode/support';
import { SUITE_LINE } from '../support/vscode-host/suite-line';

/** What one start of the editor took, in milliseconds. */
export interface ActivationTimes {
  /** Reading, compiling and running the bundle, as the extension host notes it. */
  load: number;
  /** `activate()`, as the extension itself measures it. */
  activate: number;
}

interface Marks {
  MonacoPerformanceMarks: { getMarks(): { name: string; startTime: number }[] };
}

/** Runs inside the extension host; prints one line of JSON. */
export async function run(): Promise<void> {
  const extension = extensionUnderTest();
  const api = await extension.activate();
  const marks = (globalThis as unknown as Marks).MonacoPerformanceMarks.getMarks();
  const timeOf = (name: string): number =>
    marks.find((mark) => mark.name === `code/extHost/${name}/${extension.id}`)?.startTime ?? NaN;
  const times: ActivationTimes = {
    load: timeOf('didLoadExtensionCode') - timeOf('willLoadExtensionCode'),
    activate: api?.activationMs ?? NaN,
  };
  console.log(SUITE_LINE + JSON.stringify(times));
}
