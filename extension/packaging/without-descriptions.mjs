// An esbuild plugin that removes descriptions of fields and meanings of errors from bundles: only the service's documents need them.
import { readFile } from 'node:fs/promises';
import ts from 'typescript';

/** Removes all calls of `.meta(…)` and the texts of `meaning`, and preserves the line numbers. */
export function withoutMeta(text) {
  const source = ts.createSourceFile('schemas.ts', text, ts.ScriptTarget.Latest);
  const cuts = [];
  const visit = (node) => {
    const { expression } = node;
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(expression)) {
      if (expression.name.text === 'meta') cuts.push([expression.expression.end, node.end]);
    }
    if (ts.isPropertyAssignment(node) && node.name.getText(source) === 'meaning') {
      const { initializer } = node;
      if (ts.isStringLiteral(initializer)) {
        // The quotes stay.
        cuts.push([initializer.getStart(source) + 1, initializer.end - 1]);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return cuts
    .sort(([a], [b]) => b - a)
    .reduce((left, [start, end]) => {
      const lines = left.slice(start, end).replaceAll(/[^\n]/g, '');
      return left.slice(0, start) + lines + left.slice(end);
    }, text);
}

export const withoutDescriptions = {
  name: 'without-descriptions',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]server[\\/]api[\\/][^\\/]+\.ts$/ }, async ({ path }) => ({
      contents: withoutMeta(await readFile(path, 'utf8')),
      loader: 'ts',
    }));
  },
};
