import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const ROOT = path.resolve(__dirname, '../../..');

/** Attributes and properties that users read or hear. */
const READ =
  /^(title|label|aria-label|aria-description|aria-valuetext|alt|placeholder|hint|what|text|note|name|word|explanation|message|why|nothing|help|problem|missing|lead|copyLabel|loading)$/;
/** Attributes with an identifier or a text for the clipboard, which are the same in every language. */
const DATA = /^(Icon|DataGrid|FilteredGrid|input)\.name$|^(CopyButton|LongText)\.text$/;
/** Properties with these names contain code or data. */
const NO_PROPERTY = new Set(['name', 'text']);
/** Units and standards, which are the same in every language. */
const UNITS = new Set(['wei', 'NFT', 'ERC-1155', 'USD']);
const hasWords = (text: string): boolean =>
  /\p{L}{2}/u.test(text.replace(/&\w+;/g, '')) && !UNITS.has(text.trim());

/** Possible texts of an expression: both branches of a conditional, the literal parts of a template. */
function textsOf(node: ts.Node | undefined): string[] {
  if (!node) return [];
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node)) {
    return [
      node.head.text,
      ...node.templateSpans.flatMap((span) => [...textsOf(span.expression), span.literal.text]),
    ];
  }
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].flatMap(textsOf);
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken;
    if (kind === ts.SyntaxKind.AmpersandAmpersandToken) return textsOf(node.right);
    const isValue = [
      ts.SyntaxKind.BarBarToken,
      ts.SyntaxKind.QuestionQuestionToken,
      ts.SyntaxKind.PlusToken,
    ];
    return isValue.includes(kind) ? [node.left, node.right].flatMap(textsOf) : [];
  }
  if (ts.isArrayLiteralExpression(node)) return node.elements.flatMap(textsOf);
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node))
    return textsOf(node.expression);
  if (ts.isJsxExpression(node)) return textsOf(node.expression);
  return [];
}

/** The text that a node itself shows, without its children. */
function shownBy(node: ts.Node): string[] {
  if (ts.isJsxText(node)) return [node.text];
  if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)) return textsOf(node);
  if (ts.isJsxAttribute(node)) {
    const name = node.name.getText();
    const element = node.parent.parent.tagName.getText();
    return READ.test(name) && !DATA.test(`${element}.${name}`) ? textsOf(node.initializer) : [];
  }
  if (ts.isPropertyAssignment(node) && !ts.isStringLiteral(node.name)) {
    const name = node.name.getText();
    return READ.test(name) && !NO_PROPERTY.has(name) ? textsOf(node.initializer) : [];
  }
  return [];
}

function* nodesOf(node: ts.Node): Generator<ts.Node> {
  yield node;
  for (const child of node.getChildren()) yield* nodesOf(child);
}

const isMark = (node: ts.Node): node is ts.CallExpression =>
  ts.isCallExpression(node) && node.expression.getText() === 'l10n.t';

function isInFunction(node: ts.Node): boolean {
  for (let { parent } = node; !ts.isSourceFile(parent); parent = parent.parent) {
    if (ts.isFunctionLike(parent)) return true;
  }
  return false;
}

describe('the texts of the webviews', () => {
  const folder = path.join(ROOT, 'media/inspector');
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) =>
      ts.createSourceFile(
        file,
        readFileSync(path.join(folder, file), 'utf8'),
        ts.ScriptTarget.Latest,
        true,
      ),
    );
  const found = (file: ts.SourceFile, isFault: (node: ts.Node) => boolean): string[] =>
    [...nodesOf(file)].filter(isFault).map((node) => {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      return `${file.fileName}:${line + 1} ${node.getText().trim().slice(0, 80)}`;
    });

  it('can all be translated', () => {
    const faults = sources.flatMap((file) => found(file, (node) => shownBy(node).some(hasWords)));
    assert.deepEqual(faults, []);
  });

  it('are created when they are shown, because modules may run before the language is known', () => {
    const faults = sources.flatMap((file) =>
      found(file, (node) => isMark(node) && !isInFunction(node)),
    );
    assert.deepEqual(faults, []);
  });

  it('are all found by the extraction', () => {
    const bundle = JSON.parse(
      readFileSync(path.join(ROOT, 'extension/l10n/bundle.l10n.json'), 'utf8'),
    ) as object;
    const lost = sources.flatMap((file) =>
      found(
        file,
        (node) => isMark(node) && !textsOf(node.arguments[0]).every((text) => text in bundle),
      ),
    );
    assert.deepEqual(lost, []);
  });

  it('are distinguished from code and data', () => {
    const shownIn = (code: string): string[] =>
      [...nodesOf(ts.createSourceFile('a.tsx', code, ts.ScriptTarget.Latest, true))]
        .flatMap(shownBy)
        .filter(hasWords);
    assert.deepEqual(shownIn('<p title="One" class="two">Three {a && "four"}</p>'), [
      'One',
      'Three ',
      'four',
    ]);
    assert.deepEqual(shownIn('<a>{b === "five" ? `six ${n}` : l10n.t("seven")}</a>'), ['six ']);
    assert.deepEqual(shownIn('const a = { title: "eight", id: "nine" }'), ['eight']);
    assert.deepEqual(shownIn('<b>{1} wei <i>· #</i></b>'), []);
  });
});
