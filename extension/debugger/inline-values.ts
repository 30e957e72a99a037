import * as vscode from 'vscode';
import { expressionAt, namesOfLine } from './names-in-line';

/** Lines before the current one whose values are shown. */
const REACH = 40;

/** Shows values beside the lines that lead to the current one. The editor looks the names up in the scopes. */
export const inlineValues: vscode.InlineValuesProvider = {
  provideInlineValues(document, viewPort, { stoppedLocation }) {
    const last = stoppedLocation.end.line;
    const first = Math.max(viewPort.start.line, last - REACH);
    const values: vscode.InlineValue[] = [];
    for (let line = last; line >= first; line--) {
      const { text } = document.lineAt(line);
      for (const { name, start } of namesOfLine(text)) {
        const range = new vscode.Range(line, start, line, start + name.length);
        values.push(new vscode.InlineValueVariableLookup(range, name, true));
      }
      // Variables of other functions are not in scope.
      if (/\b(function|constructor|receive|fallback|modifier)\b/.test(text)) break;
    }
    return values;
  },
};

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
