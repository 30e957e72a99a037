import { extensionUnderTest } from '../vscode/support';
import { SUITE_LINE } from '../support/vscode-host/suite-line';

/** Times of one editor start, in milliseconds. */
export interface ActivationTimes {
  /** Time to read, compile and run the bundle, as recorded by the extension host. */
  load: number;
  /** Time of `activate()`, as measured by the extension. */
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
