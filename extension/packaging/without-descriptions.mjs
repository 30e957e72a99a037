// An esbuild plugin that removes descriptions of fields from bundles: only the service's OpenAPI document needs them.
import { readFile } from 'node:fs/promises';
import ts from 'typescript';

/** Removes all calls of `.meta(…)` and preserves the line numbers. */
export function withoutMeta(text) {
  const source = ts.createSourceFile('schemas.ts', text, ts.ScriptTarget.Latest);
  const cuts = [];
  const visit = (node) => {
    const { expression } = node;
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(expression)) {
      if (expression.name.text === 'meta') cuts.push([expression.expression.end, node.end]);
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
