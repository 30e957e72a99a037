import * as vscode from 'vscode';
import { DEBUG_TYPE } from '../model/debugging';
import { expressionAt, namesOfLine } from './names-in-line';

/** Lines before the current one whose values are shown. */
const REACH = 40;

/** Shows the known values of variables beside the lines that lead to the current one. */
export const inlineValues: vscode.InlineValuesProvider = {
  async provideInlineValues(document, viewPort, { stoppedLocation, frameId }) {
    const session = vscode.debug.activeDebugSession;
    if (session?.type !== DEBUG_TYPE) return [];
    const last = stoppedLocation.end.line;
    const first = Math.max(viewPort.start.line, last - REACH);
    const places: { name: string; range: vscode.Range }[] = [];
    for (let line = last; line >= first; line--) {
      const { text } = document.lineAt(line);
      for (const { name, start } of namesOfLine(text)) {
        places.push({ name, range: new vscode.Range(line, start, line, start + name.length) });
      }
      // Variables of other functions are not in scope.
      if (/\b(function|constructor|receive|fallback|modifier)\b/.test(text)) break;
    }
    const values = await valuesOf(session, [...new Set(places.map(({ name }) => name))], frameId);
    return places.flatMap(({ name, range }) => {
      const value = values.get(name);
      return value === undefined ? [] : new vscode.InlineValueText(range, `${name} = ${value}`);
    });
  },
};

async function valuesOf(
  session: vscode.DebugSession,
  names: readonly string[],
  frameId: number,
): Promise<ReadonlyMap<string, string>> {
  if (names.length === 0) return new Map();
  try {
    const { values } = (await session.customRequest('forklens/values', { names, frameId })) as {
      values: { name: string; value: string }[];
    };
    return new Map(values.map(({ name, value }) => [name, value]));
  } catch {
    return new Map(); // the session has ended, or moved on
  }
}

/** Finds the expression under the pointer, which the debugger evaluates for a hover. */
export const hoveredExpressions: vscode.EvaluatableExpressionProvider = {
  provideEvaluatableExpression(document, { line, character }) {
    const found = expressionAt(document.lineAt(line).text, character);
    return (
      found &&
      new vscode.EvaluatableExpression(new vscode.Range(line, found.start, line, found.end))
    );
  },
};
