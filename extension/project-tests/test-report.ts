import * as vscode from 'vscode';

/** What a test run shows. */
export class TestReport {
  constructor(
    private readonly run: vscode.TestRun,
    /** Receives each test that fails. */
    private readonly onFailed: (item: vscode.TestItem) => void,
  ) {}

  /** A line of the output; with a place, also beside its line. */
  write(text: string, item?: vscode.TestItem, place?: vscode.Location): void {
    this.run.appendOutput(`${text.replaceAll(/\r?\n/g, '\r\n')}\r\n`, place, item);
  }

  passed(item: vscode.TestItem, milliseconds?: number): void {
    this.run.passed(item, milliseconds);
  }

  skipped(item: vscode.TestItem): void {
    this.run.skipped(item);
  }

  /** @param line of the test's file, from 0; default: that of the test */
  failed(item: vscode.TestItem, text: string, milliseconds?: number, line?: number): void {
    this.onFailed(item);
    this.run.failed(item, messageAt(item, text, line), milliseconds);
  }

  /** The test was not executed. */
  errored(item: vscode.TestItem, text: string): void {
    this.run.errored(item, messageAt(item, text));
  }
}

function messageAt(item: vscode.TestItem, text: string, line?: number): vscode.TestMessage {
  const message = new vscode.TestMessage(text);
  const range = line === undefined ? item.range : new vscode.Range(line, 0, line, 0);
  if (item.uri && range) message.location = new vscode.Location(item.uri, range);
  return message;
}
